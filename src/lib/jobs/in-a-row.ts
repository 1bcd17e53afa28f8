import { resultKey } from '../core/ids';
import type { Inference, StepContext } from '../engine/job';

/** Answers put in a row as one, or joined otherwise, asked for by nobody: it is known by the answers it is made of. Never of none. */
export async function inARow(
  context: Pick<StepContext, 'digest' | 'task'>,
  answers: readonly Inference[],
  join = (texts: readonly string[]) => texts.join('\n\n'),
): Promise<Inference> {
  const [first] = answers;
  const hash = await context.digest.text(answers.map((answer) => answer.resultKey).join('\n'));
  const text = join(answers.map((answer) => answer.text));
  const isWhole = answers.every((answer) => answer.row.reusable);
  const key = resultKey(isWhole ? hash : `${hash}/${context.task.id}`);
  const model = first?.row.model ?? '';
  const nowMs = first?.row.createdMs ?? 0;
  const finishReason = isWhole ? 'stop' : 'length';
  const usage = { promptTokens: 0, completionTokens: 0, estimated: false };
  return {
    text,
    inputHash: hash,
    resultKey: key,
    finishReason,
    usage,
    continuation: null,
    reused: answers.every((answer) => answer.reused),
    row: {
      v: 1,
      key,
      reusable: isWhole,
      output: text,
      finishReason,
      usage,
      model,
      createdMs: nowMs,
      lastUsedMs: nowMs,
    },
  };
}
