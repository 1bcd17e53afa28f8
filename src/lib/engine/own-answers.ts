import { stepKey, type InputHash, type ResultKey, type StepKey } from '../core/ids';
import type { CheckpointStore } from '../core/ports';
import { ok, type Result } from '../core/result';
import type { ResultRow } from '../core/results';
import type { StepRow } from '../core/step';

const PAGE = 500;

export type OwnAnswer = (hash: InputHash) => Promise<Result<ResultRow | null>>;

const NONE: OwnAnswer = () => Promise.resolve(ok(null));

/**
 * What the step was answered before, by the hash of the request. An answer that was cut is never given to another step;
 * the step that it is the answer to keeps it for as long as it would ask the same.
 */
export function ownAnswers(store: CheckpointStore, step: StepRow): OwnAnswer {
  if (!step.flags.truncated || step.resultKey === null) return NONE;
  let known: Promise<Result<ReadonlyMap<InputHash, ResultKey>>> | null = null;
  return async (hash) => {
    known ??= answersOf(store, step);
    const keys = await known;
    if (!keys.ok) return keys;
    const key = keys.value.get(hash);
    return key === undefined ? ok(null) : store.result(key);
  };
}

/** Of the step and, for a long file, of its pieces. */
async function answersOf(store: CheckpointStore, step: StepRow): Promise<Result<ReadonlyMap<InputHash, ResultKey>>> {
  const keys = new Map<InputHash, ResultKey>();
  const add = ({ inputHash, resultKey }: StepRow) => inputHash && resultKey && keys.set(inputHash, resultKey);
  add(step);
  if (step.file === null) return ok(keys);
  const prefix = `part/${step.file.path}#`;
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
