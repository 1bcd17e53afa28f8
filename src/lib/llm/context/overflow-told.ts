import type { ErrorBody } from '../error-body';
import { OUTPUT_LIMIT, OVERFLOW, overflowNumbers, plainWords } from './overflow-wordings';

/** What a refusal says of a request that was too long. */
export interface OverflowTold {
  /** `output`: the prompt fits, with less asked for the answer; `prompt`: the prompt has to shrink. */
  readonly kind: 'prompt' | 'output';
  /** Tokens of the prompt; null where the server does not say. */
  readonly used: number | null;
  /** Tokens that a request may hold. */
  readonly limit: number | null;
}

/** Below this an answer is not worth asking for: the prompt has to shrink instead. */
const LEAST_ROOM_TOKENS = 256;

/** Null for a refusal that is no overflow. `status` is that of the answer, or the one that its body names. */
export function overflowTold(body: ErrorBody, status: number): OverflowTold | null {
  if (status === 401 || status === 429) return null;
  const words = plainWords(`${body.kind} ${body.message}`);
  const isOverflow = OVERFLOW.test(words);
  if (!isOverflow && !(OUTPUT_LIMIT.test(words) && status < 500)) return null;
  const told = overflowNumbers(body.message);
  const used = body.promptTokens ?? told.used;
  const limit = body.limitTokens ?? told.limit;
  if (!isOverflow) return { kind: 'output', used, limit };
  if (used === null || limit === null || told.asked === null) return { kind: 'prompt', used, limit };
  const fits = told.atLeast ? told.asked > limit / 2 : limit - used >= Math.min(LEAST_ROOM_TOKENS, told.asked);
  return { kind: fits ? 'output' : 'prompt', used, limit };
}
