import type { Commit } from '../core/commit';
import type { TaskId } from '../core/ids';
import { ok, type Result } from '../core/result';
import type { TaskRow } from '../core/task';
import { commitRows, type CommitRows } from './commit-rows';
import type { Connection } from './connection';
import type { Database } from './database';
import { addResults, putResults, storedKeys } from './put-results';
import { readTask } from './reading';
import { isSameTask } from './same-task';

/**
 * Commits in IndexedDB. Each answer that is waited for inside a transaction costs a turn between two processes. So the
 * task's row is taken to be as this owner left it: all rows are handed over at once, beside the question whether it is,
 * and the transaction is given up when it is not. Then the row is read first, as at an owner's first commit.
 */
export class IdbCommits {
  readonly #connection: Connection;
  readonly #left = new Map<TaskId, TaskRow>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** How the owner found the task. */
  begin(task: TaskRow): void {
    this.#left.set(task.id, task);
  }

  forget(id: TaskId): void {
    this.#left.delete(id);
  }

  async save(commit: Commit): Promise<Result<TaskRow>> {
    const { taskId } = commit;
    let triedSeq: number | null = null;
    const saved = await this.#connection.run(commit.durability, async (database) => {
      const left = this.#left.get(taskId);
      this.#left.delete(taskId);
      if (left?.epoch === commit.epoch && !bringsReused(commit)) {
        triedSeq = left.seq;
        const task = await saveAfter(database, commit, left);
        if (task) return ok(task);
        // Given up, so none of it was saved: what the row is ahead by was somebody else's, as of a journal carried out.
        triedSeq = null;
      }
      return database.transaction('rw', tablesOf(database, commit), async () => {
        const [found, stored] = await Promise.all([readTask(database, taskId), storedKeys(database, commit.results)]);
        if (!found.ok) return found;
        const rows = commitRows(found.value, commit);
        if (!rows.ok) return rows;
        // A lost connection may have saved what it never answered; nobody else commits in this epoch.
        if (found.value !== null && triedSeq !== null && found.value.seq > triedSeq) return ok(found.value);
        triedSeq = found.value?.seq ?? null;
        await Promise.all([
          ...puts(database, commit, rows.value),
          putResults(database, commit.results, stored, commit.atMs),
        ]);
        return ok(rows.value.task);
      });
    });
    if (saved.ok) this.#left.set(taskId, saved.value);
    return saved;
  }
}

/** A reused answer is there already as a rule: to hand it over unasked would be to do everything twice. */
function bringsReused({ steps, results }: Commit): boolean {
  return results.length > 0 && steps.some(({ flags }) => flags.reused);
}

/** Null, and nothing saved, when the task is not as it was `left`, or an answer is there already. */
async function saveAfter(database: Database, commit: Commit, left: TaskRow): Promise<TaskRow | null> {
  const rows = commitRows(left, commit);
  if (!rows.ok) return null;
  try {
    await database.transaction('rw', tablesOf(database, commit), () =>
      Promise.all([
        database.tasks.get(left.id).then((found) => {
          if (!isSameTask(found, left)) throw new FoundOtherwise();
        }),
        addResults(database, commit.results).then((areAllNew) => {
          if (!areAllNew) throw new FoundOtherwise();
        }),
        ...puts(database, commit, rows.value),
      ]),
    );
    return rows.value.task;
  } catch (error) {
    if (error instanceof FoundOtherwise) return null;
    throw error;
  }
}

class FoundOtherwise extends Error {
  override readonly name = 'FoundOtherwise';
}

/** All but the results. */
function puts(database: Database, commit: Commit, rows: CommitRows): readonly PromiseLike<unknown>[] {
  const { task, steps, removedSteps, activity, effects, checkpoint } = rows;
  const { settledPartials } = commit;
  const none: readonly PromiseLike<unknown>[] = [];
  return [
    ...(removedSteps.length > 0 ? [database.steps.bulkDelete(removedSteps.map((key) => [task.id, key]))] : none),
    ...(steps.length > 0 ? [database.steps.bulkPut(steps)] : none),
    ...(activity.length > 0 ? [database.activity.bulkPut(activity)] : none),
    ...(effects.length > 0 ? [database.effects.bulkPut(effects)] : none),
    ...(checkpoint ? [database.checkpoints.put(checkpoint)] : none),
    ...(settledPartials.length > 0
      ? [database.partials.bulkDelete(settledPartials.map((request) => [task.id, request]))]
      : none),
    database.tasks.put(task),
  ];
}

/** Only what the commit touches: readers of the other tables need not wait for it. */
function tablesOf(database: Database, commit: Commit) {
  return [
    database.tasks,
    ...(commit.steps.length + commit.removedSteps.length > 0 ? [database.steps] : []),
    ...(commit.results.length > 0 ? [database.results] : []),
    ...(commit.activity.length > 0 ? [database.activity] : []),
    ...(commit.effects.length > 0 ? [database.effects] : []),
    ...(commit.settledPartials.length > 0 ? [database.partials] : []),
    database.checkpoints,
  ];
}
