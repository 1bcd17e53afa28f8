import { EFFECT_STATES, FOLDER_WRITE, type EffectRow } from '../../core/effect';
import type { ContentDigest, TaskId } from '../../core/ids';
import type { CheckpointStore } from '../../core/ports';
import { ok, type Result } from '../../core/result';

const ALL = 1_000_000;

/** What the ledger says of one file of the output. */
export interface WrittenFile {
  /** The last change that was meant. */
  readonly last: EffectRow;
  /** What the last change left that was carried out; null when none was. */
  readonly ours: ContentDigest | null;
}

export type OutputHistory = ReadonlyMap<string, WrittenFile>;

/** By path under `talaria/`. */
export async function outputHistory(store: CheckpointStore, id: TaskId): Promise<Result<OutputHistory>> {
  const history = new Map<string, WrittenFile>();
  const newestDone = new Map<string, EffectRow>();
  for (const state of EFFECT_STATES) {
    const rows = await store.effectsInState(id, state, ALL);
    if (!rows.ok) return rows;
    for (const row of rows.value) {
      if (row.kind !== FOLDER_WRITE) continue;
      const done = newestDone.get(row.target);
      if (row.state === 'done' && row.nth > (done?.nth ?? 0)) newestDone.set(row.target, row);
      const known = history.get(row.target);
      if (row.nth > (known?.last.nth ?? 0)) history.set(row.target, { last: row, ours: null });
    }
  }
  for (const [target, file] of history) {
    history.set(target, { ...file, ours: newestDone.get(target)?.after ?? null });
  }
  return ok(history);
}
