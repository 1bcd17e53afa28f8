import type { CheckpointRow } from '../../core/checkpoint';
import { EFFECT_STATES } from '../../core/effect';
import { FailureError } from '../../core/failure-error';
import type { FolderRow } from '../../core/folder';
import type { ResultKey } from '../../core/ids';
import type { CheckpointStore } from '../../core/ports';
import { readableResults } from '../../core/readable-results';
import type { Result } from '../../core/result';
import type { TaskRow } from '../../core/task';
import type { Entry } from './lines';

const PAGE = 500;
/** The most that a browser takes for a number of rows. */
const ALL = 2 ** 32 - 1;
const NOTHING = { what: 'rows', steps: [], results: [], activity: [] } as const;

type Append = (entry: Entry, seq: number) => void;

/** What a file begins with. */
export function headOf(task: TaskRow, folder: FolderRow | null, isBase: boolean): Entry {
  if (folder === null) return { what: 'head', v: 1, isBase, task, folder };
  const { handle: _, ...written } = folder;
  return { what: 'head', v: 1, isBase, task, folder: written };
}

/**
 * Appends all rows of a task as they are now, its past and every answer that either uses included. Lines before the last
 * carry seq 0: a base that was cut off must not look as if it reached anywhere.
 */
export async function writeBase(
  append: Append,
  store: CheckpointStore,
  task: TaskRow,
  folder: FolderRow | null,
): Promise<void> {
  append(headOf(task, folder, true), 0);
  const written = new Set<ResultKey>();
  const writeResults = async (keys: readonly (ResultKey | null)[]) => {
    const fresh = [...new Set(keys)].filter((key) => key !== null).filter((key) => !written.has(key));
    for (const key of fresh) written.add(key);
    for (const page of inPages(fresh))
      append({ ...NOTHING, results: needed(await readableResults(store, page)).filter((row) => row !== null) }, 0);
  };
  for (let seq = -1; ;) {
    const steps = needed(await store.stepsSince(task.id, seq, PAGE));
    const last = steps.at(-1);
    if (last === undefined) break;
    await writeResults(steps.map(({ resultKey }) => resultKey));
    append({ ...NOTHING, steps }, 0);
    seq = last.seq;
  }
  await writeResults([task.report]);
  const activity = needed(await store.activity(task.id, ALL));
  for (const page of inPages(activity)) append({ ...NOTHING, activity: page }, 0);
  for (const state of EFFECT_STATES) {
    const effects = needed(await store.effectsInState(task.id, state, ALL));
    for (const page of inPages(effects)) append({ ...NOTHING, effects: page }, 0);
  }
  for (let before: number | null = null; ;) {
    const checkpoints: readonly CheckpointRow[] = needed(await store.checkpoints(task.id, before, PAGE));
    const oldest = checkpoints.at(-1);
    if (oldest === undefined) break;
    await writeResults(checkpoints.flatMap(({ replaced }) => replaced.map(({ resultKey }) => resultKey)));
    append({ ...NOTHING, checkpoints }, 0);
    before = oldest.seq;
  }
  append({ what: 'base_end' }, task.seq);
}

function inPages<T>(rows: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(rows.length / PAGE) }, (_, n) => rows.slice(n * PAGE, (n + 1) * PAGE));
}

function needed<T>(result: Result<T>): T {
  if (!result.ok) throw new FailureError(result.failure);
  return result.value;
}
