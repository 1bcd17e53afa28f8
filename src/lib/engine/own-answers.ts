import { partKeyPrefix, stepKey, type InputHash, type ResultKey, type StepKey } from '../core/ids';
import { importedKey, type ImportOrigin } from '../core/import-origin';
import type { CheckpointStore } from '../core/ports';
import { ok, type Result } from '../core/result';
import type { ResultRow } from '../core/results';
import type { StepRow } from '../core/step';
import type { TaskRow } from '../core/task';

const PAGE = 500;

export type OwnAnswer = (hash: InputHash) => Promise<Result<ResultRow | null>>;

const NONE: OwnAnswer = () => Promise.resolve(ok(null));

/**
 * Answers that no other task is given, by the hash of the request: what the step was answered before, if that was cut,
 * and what came with the file that the task came from. One that cannot be read is none.
 */
export function ownAnswers(store: CheckpointStore, { imported }: Pick<TaskRow, 'imported'>, step: StepRow): OwnAnswer {
  const cut = cutAnswers(store, step);
  const brought = imported ? broughtAnswers(store, imported) : NONE;
  return async (hash) => {
    for (const answers of [cut, brought]) {
      const found = await answers(hash);
      if (found.ok ? found.value !== null : found.failure.code !== 'row_unreadable') return found;
    }
    return ok(null);
  };
}

/**
 * An answer that was cut is never given to another step; the step that it is the answer to keeps it for as long as it
 * would ask the same: when it is looked at again, and when an earlier try came to its end before all of its pieces had.
 */
function cutAnswers(store: CheckpointStore, step: StepRow): OwnAnswer {
  if (!step.flags.truncated && step.history.length === 0) return NONE;
  let known: Promise<Result<ReadonlyMap<InputHash, ResultKey>>> | null = null;
  return async (hash) => {
    known ??= answersOf(store, step);
    const keys = await known;
    if (!keys.ok) return keys;
    const key = keys.value.get(hash);
    return key === undefined ? ok(null) : store.result(key);
  };
}

function broughtAnswers(store: CheckpointStore, { id }: ImportOrigin): OwnAnswer {
  return async (hash) => {
    const found = await store.result(importedKey(id, hash));
    return found.ok && !found.value?.reusable ? ok(null) : found;
  };
}

/** Of the step and of its pieces. */
async function answersOf(store: CheckpointStore, step: StepRow): Promise<Result<ReadonlyMap<InputHash, ResultKey>>> {
  const keys = new Map<InputHash, ResultKey>();
  // What was read in part only is an answer to nothing.
  const add = ({ inputHash, resultKey, flags }: StepRow) =>
    inputHash && resultKey && flags.truncated && !flags.inputCut && keys.set(inputHash, resultKey);
  add(step);
  const prefix = partKeyPrefix(step.file?.path ?? step.key);
  let after: StepKey | null = stepKey(prefix);
  while (after !== null) {
    const page: Result<readonly StepRow[]> = await store.stepsOfType(step.taskId, 'part', after, PAGE);
    if (!page.ok) return page;
    const own = page.value.filter(({ key }) => key.startsWith(prefix));
    own.forEach(add);
    after = own.length < PAGE ? null : (own.at(-1)?.key ?? null);
  }
  return ok(keys);
}
