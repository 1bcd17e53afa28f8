import type { ErrorBody } from '../error-body';
import { OUTPUT_LIMIT, OVERFLOW, OVER_RATE, overflowNumbers, plainWords } from './overflow-wordings';

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
  if (status === 401) return null;
  const words = plainWords(`${body.kind} ${body.message}`);
  const overRate = OVER_RATE.exec(words);
  // What was requested holds the answer too, so that it is no count of the prompt.
  if (overRate && Number(overRate[2]) > Number(overRate[1])) {
    return { kind: 'prompt', used: null, limit: Number(overRate[1]) };
  }
  if (status === 429) return null;
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
