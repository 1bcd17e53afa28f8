import type { Failure } from '../core/failure';
import { ok, type Result } from '../core/result';
import type { Inference } from '../engine/job';

/** Every answer, in order, or the first failure among them. */
export function allAnswers(answers: readonly Result<Inference>[]): Result<readonly Inference[]> {
  const lost = answers.find((answer): answer is { ok: false; failure: Failure } => !answer.ok);
  return lost ?? ok(answers.flatMap((answer) => (answer.ok ? [answer.value] : [])));
}
