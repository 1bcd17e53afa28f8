import type { Database } from './database';
import { COPIES_BUCKET, isBorn } from './copies';

/** Whether this database was made a moment ago while there is a copy of one: the browser has deleted ours. */
export async function isLost(database: Database): Promise<boolean> {
  return !(await isBorn(database)) && (await hasCopy());
}

async function hasCopy(): Promise<boolean> {
  const { storageBuckets } = navigator as { readonly storageBuckets?: { keys(): Promise<readonly string[]> } };
  return (await storageBuckets?.keys())?.includes(COPIES_BUCKET) ?? false;
}
