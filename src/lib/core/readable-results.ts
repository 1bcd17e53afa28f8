import type { ResultKey } from './ids';
import type { CheckpointStore } from './ports';
import { ok, type Result } from './result';
import type { ResultRow } from './results';

/**
 * The answers under these keys, in order; null where there is none, and where there is one that is damaged: it is asked
 * again when it is wanted, and must not keep the others from being read. Other failures come back, as of a row that is
 * whole but from a newer version.
 */
export async function readableResults(
  store: Pick<CheckpointStore, 'result' | 'results'>,
  keys: readonly ResultKey[],
): Promise<Result<readonly (ResultRow | null)[]>> {
  const all = await store.results(keys);
  if (all.ok || all.failure.code !== 'row_unreadable') return all;
  const rows: (ResultRow | null)[] = [];
  for (const key of keys) {
    const one = await store.result(key);
    if (!one.ok && one.failure.code !== 'row_unreadable') return one;
    rows.push(one.ok ? one.value : null);
  }
  return ok(rows);
}
