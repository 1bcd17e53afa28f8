import { ok, type Result } from '../core/result';
import type { CheckpointRow } from '../core/checkpoint';
import type { Connection } from './connection';
import type { Database } from './database';

/** Keys of results that are used by rows which checkpoints keep: a fork that begins there needs them. */
export async function keysOfThePast(connection: Connection, pageRows: number): Promise<Result<ReadonlySet<string>>> {
  const keys = new Set<string>();
  for (let after: readonly [string, number] | null = null; ;) {
    const page: Result<readonly CheckpointRow[]> = await connection.run('relaxed', async (database) =>
      ok(await checkpointsAfter(database, after, pageRows)),
    );
    if (!page.ok) return page;
    const last = page.value.at(-1);
    if (last === undefined) return ok(keys);
    for (const { replaced } of page.value) {
      for (const { resultKey } of replaced) if (resultKey !== null) keys.add(resultKey);
    }
    after = [last.taskId, last.seq];
  }
}

function checkpointsAfter(
  database: Database,
  after: readonly [string, number] | null,
  limit: number,
): PromiseLike<CheckpointRow[]> {
  const { checkpoints } = database;
  return (after === null ? checkpoints.toCollection() : checkpoints.where('[taskId+seq]').above([...after]))
    .limit(limit)
    .toArray();
}
