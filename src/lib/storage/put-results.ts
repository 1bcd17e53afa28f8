import Dexie from 'dexie';
import type { ResultKey } from '../core/ids';
import type { ResultRow } from '../core/results';
import type { Database } from './database';
import { resultRows } from './row-shapes';

/** An answer's last use is told to the day: its whole text is written again for it. */
const TOLD_EVERY_MS = 86_400_000;

/**
 * Keys of those reusable results that are stored already. Counting them is cheaper than being refused: an `add` would
 * have carried the whole text to the database for nothing.
 */
export async function storedKeys(database: Database, results: readonly ResultRow[]): Promise<ReadonlySet<ResultKey>> {
  const keys = [...new Set(results.filter(({ reusable }) => reusable).map(({ key }) => key))];
  const counts = await Promise.all(keys.map((key) => database.results.where('key').equals(key).count()));
  return new Set(keys.filter((_, index) => counts[index] !== 0));
}

/** Puts results in a transaction that fails whole: false, and it must be given up, when a reusable one is there already. */
export async function addResults(database: Database, results: readonly ResultRow[]): Promise<boolean> {
  const reusable = results.filter((result) => result.reusable);
  const others = results.filter((result) => !result.reusable);
  const [areAllNew] = await Promise.all([
    reusable.length === 0 || database.results.bulkAdd(reusable).then(() => true, isThereAlready),
    others.length === 0 || database.results.bulkPut(others),
  ]);
  return areAllNew;
}

function isThereAlready(error: unknown): false {
  const failures: readonly unknown[] = error instanceof Dexie.BulkError ? error.failures : [];
  const isConstraint = (one: unknown) => one instanceof Error && one.name === 'ConstraintError';
  if (failures.length === 0 || !failures.every(isConstraint)) throw error;
  return false;
}

/**
 * A reusable result that is there stays: steps of other tasks may have been made from that very text. It was used again
 * then, at `usedMs`; without that it is only put back. What is no whole answer, or cannot be read, gives place to one.
 * `stored` is what `storedKeys` found in the same transaction.
 */
export async function putResults(
  database: Database,
  results: readonly ResultRow[],
  stored: ReadonlySet<ResultKey>,
  usedMs = 0,
): Promise<void> {
  const good = results.filter((result) => result.reusable).reverse();
  const reusable = [...new Map(good.map((result) => [result.key, result])).values()];
  const fresh = reusable.filter(({ key }) => !stored.has(key));
  const others = results.filter((result) => !result.reusable);
  await Promise.all([
    fresh.length > 0 && database.results.bulkAdd(fresh),
    others.length > 0 && database.results.bulkPut(others),
  ]);
  const repeated = reusable.filter(({ key }) => stored.has(key));
  if (repeated.length === 0) return;
  const kept = await database.results.bulkGet(repeated.map(({ key }) => key));
  const changed = repeated.flatMap((row, index) => {
    const before = kept[index];
    if (before === undefined || isDamaged(before) || !before.reusable) return [row];
    const after = usedAt(before, usedMs);
    return after === before ? [] : [after];
  });
  if (changed.length > 0) await database.results.bulkPut(changed);
}

/** The same row where that says nothing new. */
export function usedAt(row: ResultRow, usedMs: number): ResultRow {
  return usedMs - row.lastUsedMs < TOLD_EVERY_MS ? row : { ...row, lastUsedMs: usedMs };
}

/** What it is told by whether an answer that nothing uses has had its time. */
export function lastUseMs({ createdMs, lastUsedMs }: ResultRow): number {
  return Math.max(createdMs, lastUsedMs);
}

function isDamaged(row: ResultRow): boolean {
  const read = resultRows([row]);
  return !read.ok && read.failure.code === 'row_unreadable';
}
