import type { ImportId, ResultKey } from '../core/ids';
import { importedKey, keyAtOrigin } from '../core/import-origin';
import type { StepRow } from '../core/step';
import type { ExportedTask } from './read-export';

/**
 * The task's rows with results under keys of this import alone, so that no other task finds what only a file says was
 * answered. A result that no row names is left out.
 */
export function withKeysOfItsOwn(exported: ExportedTask, id: ImportId): ExportedTask {
  const { task, steps, results, checkpoints } = exported;
  const past = checkpoints.flatMap(({ replaced }) => replaced);
  const named = [task.report, ...[...steps, ...past].map(({ resultKey }) => resultKey)];
  const keys = keysFor(id, new Set(named.flatMap((key) => key ?? [])));
  const ownKey = (key: ResultKey | null) => (key === null ? null : (keys.get(key) ?? null));
  const ownStep = (step: StepRow): StepRow => ({ ...step, resultKey: ownKey(step.resultKey) });
  return {
    ...exported,
    task: { ...task, report: ownKey(task.report) },
    steps: steps.map(ownStep),
    checkpoints: checkpoints.map((row) => ({ ...row, replaced: row.replaced.map(ownStep) })),
    results: results.flatMap((row) => {
      const key = ownKey(row.key);
      return key === null ? [] : [{ ...row, key }];
    }),
  };
}

/** What was taken in before does not grow with every time; two that were one key at their origins stay two. */
function keysFor(id: ImportId, named: ReadonlySet<ResultKey>): ReadonlyMap<ResultKey, ResultKey> {
  const keys = new Map<ResultKey, ResultKey>();
  const taken = new Set<string>();
  // What was answered where it was last comes first: it keeps the key that the other would be given without its prefix.
  for (const key of [...named].sort((a, b) => a.length - b.length)) {
    const origin = keyAtOrigin(key);
    const kept = taken.has(origin) ? key : origin;
    taken.add(kept);
    keys.set(key, importedKey(id, kept));
  }
  return keys;
}
