import { failure } from '../core/failure';
import type { ModelRequest } from '../core/model';
import { fail, type Result } from '../core/result';
import type { Inference, StepContext } from '../engine/job';

/** A model that thinks aloud spends its room before it says anything: it gets this much more, once. */
const WIDER = 4;

/**
 * Asks with room for `answerTokens`. When all of it was spent without a visible word, asks once more with up to half
 * of the context. An answer that a content filter ended is none: `content_refused`.
 */
export async function ask(
  context: StepContext,
  answerTokens: number,
  request: (maxTokens: number) => ModelRequest,
): Promise<Result<Inference>> {
  const asked = await context.infer(request(answerTokens));
  const wider = Math.min(answerTokens * WIDER, Math.floor(context.contextTokens / 2));
  const ranOut = !asked.ok && asked.failure.code === 'output_truncated';
  const answer = ranOut && wider > answerTokens ? await context.infer(request(wider)) : asked;
  return answer.ok && answer.value.finishReason === 'content_filter' ? fail(failure('content_refused')) : answer;
}
