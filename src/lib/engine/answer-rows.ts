import { resultKey, type InputHash, type ResultKey, type StepKey, type TaskId } from '../core/ids';
import type { Completion } from '../core/model';
import type { ResultRow } from '../core/results';
import { NO_USAGE } from '../core/usage';
import type { Inference } from './job';

/** Of a step. */
interface Try {
  readonly key: StepKey;
  readonly attempt: number;
}

/** What a filter refused is no answer: no job saves it. */
export function isToBeSaved({ finishReason }: Inference): boolean {
  return finishReason !== 'content_filter';
}

export function toResultRow(answer: Completion, hash: InputHash, by: Try, task: TaskId, nowMs: number): ResultRow {
  const reusable = isWhole(answer) && !answer.inputCut;
  return {
    v: 1,
    key: reusable ? resultKey(hash) : ownKey(hash, task, by),
    reusable,
    output: answer.text,
    finishReason: answer.finishReason,
    usage: answer.usage,
    model: answer.model,
    createdMs: nowMs,
    lastUsedMs: nowMs,
    ...(answer.thinking === undefined ? {} : { thinking: answer.thinking }),
    ...(answer.calls === undefined ? {} : { calls: answer.calls }),
  };
}

/** Of an answer that is nobody else's. */
export function ownKey(hash: InputHash, task: TaskId, { key, attempt }: Try): ResultKey {
  return resultKey(`${hash}/${task}/${key}/${String(attempt)}`);
}

/** An answer that the same question may be given again. */
function isWhole({ finishReason, unmet, calls }: Completion): boolean {
  if (finishReason === 'tool_calls') return calls?.drafts.every(({ read }) => read === 'whole') ?? false;
  return finishReason === 'stop' && unmet === undefined;
}

export function toInference(row: ResultRow, hash: InputHash): Inference {
  return {
    text: row.output,
    inputHash: hash,
    resultKey: row.key,
    finishReason: row.finishReason,
    usage: row.usage,
    continuation: null,
    reused: false,
    row,
  };
}

export function asReused(inference: Inference): Inference {
  return { ...inference, reused: true, usage: NO_USAGE, continuation: null };
}
