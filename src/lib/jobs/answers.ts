import type { Failure } from '../core/failure';
import { ok, type Result } from '../core/result';
import type { Inference, StepContext } from '../engine/job';

/**
 * Every answer, in order, or the first failure among them. What was answered for one that failed is not saved any more,
 * and would keep its turn from the others, which may be waiting for one.
 */
export async function allAnswers(
  context: Pick<StepContext, 'dropUnsaved'>,
  asked: readonly Promise<Result<Inference>>[],
): Promise<Result<readonly Inference[]>> {
  const answers = await Promise.all(
    asked.map(async (each) => {
      const answer = await each;
      if (!answer.ok) context.dropUnsaved();
      return answer;
    }),
  );
  const lost = answers.find((answer): answer is { ok: false; failure: Failure } => !answer.ok);
  return lost ?? ok(answers.flatMap((answer) => (answer.ok ? [answer.value] : [])));
}
