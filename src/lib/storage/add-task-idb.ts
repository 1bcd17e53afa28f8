import Dexie from 'dexie';
import type { TaskId } from '../core/ids';
import { fail, ok, type Result } from '../core/result';
import type { Connection } from './connection';
import type { Database } from './database';
import { taskExists, type WholeTask } from './import-task';

/** In one transaction: cut off, there is nothing of it. Failure: `import_task_exists`. */
export function addTask(connection: Connection, whole: WholeTask): Promise<Result<void>> {
  const { task, folder } = whole;
  return connection.run('strict', (database) =>
    database.transaction('rw', tablesOf(database), async () => {
      if (await isKnown(database, task.id)) return fail(taskExists(whole));
      await Promise.all([
        database.steps.bulkPut(whole.steps),
        database.activity.bulkPut(whole.activity),
        database.effects.bulkPut(whole.effects),
        database.checkpoints.bulkPut(whole.checkpoints),
        database.results.bulkPut(whole.results),
      ]);
      if ((await database.folders.get(folder.id)) === undefined) await database.folders.add(folder);
      await database.tasks.add(task);
      return ok();
    }),
  );
}

/** Whatever is in a table under its id is a task's, or what is left of one that is being removed. */
async function isKnown(database: Database, id: TaskId): Promise<boolean> {
  if ((await database.tasks.get(id)) !== undefined || (await database.removals.get(id)) !== undefined) return true;
  const range = database.steps.where('[taskId+key]').between([id, Dexie.minKey], [id, Dexie.maxKey]);
  return (await range.count()) > 0;
}

function tablesOf(database: Database) {
  const { tasks, folders, steps, results, activity, effects, checkpoints, removals } = database;
  return [tasks, folders, steps, results, activity, effects, checkpoints, removals];
}
