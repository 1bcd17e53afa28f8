import type { ResultRow } from '../core/results';
import type { Database } from './database';
import { resultRows } from './row-shapes';

/** A reusable result that is there stays: steps of other tasks may have been made from that very text. */
export async function putResults(database: Database, results: readonly ResultRow[]): Promise<void> {
  const others = results.filter((result) => !result.reusable);
  if (others.length > 0) await database.results.bulkPut(others);
  const good = results.filter((result) => result.reusable).reverse();
  const reusable = [...new Map(good.map((result) => [result.key, result])).values()];
  if (reusable.length === 0) return;
  // Counting first: a refused `add` would have carried the whole text to the database for nothing.
  const there = await Promise.all(reusable.map(({ key }) => database.results.where('key').equals(key).count()));
  await database.results.bulkAdd(reusable.filter((_, index) => there[index] === 0));
  const repeated = reusable.filter((_, index) => there[index] !== 0);
  if (repeated.length === 0) return;
  const kept = await database.results.bulkGet(repeated.map(({ key }) => key));
  await database.results.bulkPut(repeated.filter((_, index) => isDamaged(kept[index])));
}

function isDamaged(row: ResultRow | undefined): boolean {
  const read = resultRows([row]);
  return !read.ok && read.failure.code === 'row_unreadable';
}
