import type { Failure } from '../core/failure';
import type { ModelRequest } from '../core/model';
import type { Result } from '../core/result';
import type { Inference, StepContext } from '../engine/job';

/** Servers that count no further than their limit name too low a number first. */
const MOST_NARROWER = 3;

/** What is known of a prompt and of what its answer may take, in tokens. */
interface Room {
  readonly promptTokens: number;
  readonly answerTokens: number;
  /** A shorter answer is not worth asking for. */
  readonly leastTokens: number;
}

/**
 * Asks; where the server holds the prompt and refuses the room for the answer alone, asks again with less of it, at most
 * three times. The refusal stands when that brings nothing, or when the answer needed what it was refused and there is
 * another try, with less to read at once.
 */
export async function askNarrower(
  context: Pick<StepContext, 'infer' | 'isLastTry'>,
  room: Room,
  request: (maxTokens: number) => ModelRequest,
): Promise<Result<Inference>> {
  let { answerTokens } = room;
  let asked = await context.infer(request(answerTokens));
  for (let narrower = 0; narrower < MOST_NARROWER && isOutputRefused(asked); narrower += 1) {
    const refused = asked;
    answerTokens = narrower === 0 ? roomTold(refused.failure, room) : Math.floor(answerTokens / 2);
    if (answerTokens < room.leastTokens) return refused;
    asked = await context.infer(request(answerTokens));
    if (asked.ok && asked.value.finishReason === 'length' && !context.isLastTry) return refused;
  }
  return asked;
}

function isOutputRefused(asked: Result<Inference>): asked is Extract<Result<Inference>, { ok: false }> {
  return !asked.ok && asked.failure.code === 'max_tokens_too_large';
}

/** What the server's numbers leave, by the higher count of the prompt; half where they leave as much, or it names none. */
function roomTold({ details }: Failure, { promptTokens, answerTokens }: Room): number {
  const { usedTokens, limitTokens } = details;
  const half = Math.floor(answerTokens / 2);
  if (typeof limitTokens !== 'number') return half;
  const used = Math.max(promptTokens, typeof usedTokens === 'number' ? usedTokens : 0);
  const left = limitTokens - used;
  return left < answerTokens ? left : half;
}
