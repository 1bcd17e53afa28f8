/** Putting back what a journal has and the database lacks. */
import { failure } from '../core/failure';
import type { FolderRow } from '../core/folder';
import type { TaskId } from '../core/ids';
import { fail, ok, type Result } from '../core/result';
import type { TaskRow } from '../core/task';
import type { Connection } from './connection';
import type { Database } from './database';
import type { JournaledCommit } from './journal/chain';
import { redoRows } from './journal/redo-rows';
import type { RestoredRows } from './journal/restorable-store';
import { putResults, storedKeys } from './put-results';
import { readTask } from './reading';

export function restoreRows(
  connection: Connection,
  id: TaskId,
  rows: RestoredRows,
  seq: number,
): Promise<Result<void>> {
  return connection.run('relaxed', (database) =>
    database.transaction('rw', tablesOf(database), async () => {
      if (await isAsFar(database, id, seq)) return ok();
      await putRows(database, id, rows);
      return ok();
    }),
  );
}

export function restoreTask(connection: Connection, task: TaskRow, folder: FolderRow | null): Promise<Result<void>> {
  return connection.run('strict', (database) =>
    database.transaction('rw', [database.tasks, database.folders], async () => {
      if (await isAsFar(database, task.id, task.seq)) return ok();
      if (folder !== null && (await database.folders.get(folder.id)) === undefined) await database.folders.put(folder);
      await database.tasks.put(task);
      return ok();
    }),
  );
}

function tablesOf(database: Database) {
  const { tasks, steps, results, activity, effects, checkpoints, partials } = database;
  return [tasks, steps, results, activity, effects, checkpoints, partials];
}

async function putRows(database: Database, id: TaskId, rows: RestoredRows): Promise<void> {
  const stored = await storedKeys(database, rows.results);
  await database.steps.bulkDelete((rows.removedSteps ?? []).map((key) => [id, key]));
  await Promise.all([
    database.steps.bulkPut(rows.steps),
    database.activity.bulkPut(rows.activity),
    database.effects.bulkPut(rows.effects ?? []),
    database.checkpoints.bulkPut(rows.checkpoints ?? []),
    database.partials.bulkDelete((rows.settledPartials ?? []).map((request) => [id, request])),
    putResults(database, rows.results, stored),
  ]);
}

/** Another tab has put the task back meanwhile, and may be working on it. A row that cannot be read is left alone too. */
async function isAsFar(database: Database, id: TaskId, seq: number): Promise<boolean> {
  const found = await readTask(database, id);
  return !found.ok || (found.value !== null && found.value.seq >= seq);
}

export function redo(
  connection: Connection,
  id: TaskId,
  commits: readonly JournaledCommit[],
): Promise<Result<TaskRow>> {
  return connection.run('strict', (database) =>
    database.transaction('rw', tablesOf(database), async () => {
      const found = await readTask(database, id);
      if (!found.ok) return found;
      if (found.value === null) return fail(failure('task_missing', { details: { task: id } }));
      const redone = redoRows(found.value, commits);
      if (!redone.ok) return redone;
      await putRows(database, id, redone.value);
      await database.tasks.put(redone.value.task);
      return ok(redone.value.task);
    }),
  );
}
