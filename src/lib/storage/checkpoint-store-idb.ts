import type { ActivityRow } from '../core/activity';
import type { CheckpointRow } from '../core/checkpoint';
import type { Commit } from '../core/commit';
import type { EffectRow, EffectState } from '../core/effect';
import { failure } from '../core/failure';
import type { FolderRow } from '../core/folder';
import { copiedFrom } from '../core/fork-origin';
import type { EffectKey, FolderId, ResultKey, StepKey, TaskId } from '../core/ids';
import type { LeaseRow } from '../core/lease';
import type { PartialRow } from '../core/partial';
import type { Freed, Removal } from '../core/ports';
import { fail, ok, type Result } from '../core/result';
import type { ResultRow } from '../core/results';
import type { StepRow, StepStatus, StepType } from '../core/step';
import type { TaskRow } from '../core/task';
import { addTask } from './add-task-idb';
import { checkOwner } from './commit-rows';
import { IdbCommits } from './commits-idb';
import type { JournaledCommit } from './journal/chain';
import type { RestorableStore, RestoredRows } from './journal/restorable-store';
import { freeResults } from './free-results';
import { isSameTask } from './same-task';
import { redo, restoreRows, restoreTask } from './restore-idb';
import type { WholeTask } from './import-task';
import type { Connection } from './connection';
import type { Database } from './database';
import * as reading from './reading';
import { finishRemovals, removeTask, removeUnusedResults } from './removal';
import { resultRows, stepRows } from './row-shapes';
import type { QuarantinedTask } from './task-list';

/** Checkpoints in IndexedDB. Inside its transactions nothing but the database is awaited: anything else ends them. */
export class IdbCheckpointStore implements RestorableStore {
  readonly #connection: Connection;
  readonly #commits: IdbCommits;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#commits = new IdbCommits(connection);
  }

  createTask(task: TaskRow, folder: FolderRow): Promise<Result<void>> {
    return this.#connection.run('strict', (database) =>
      database.transaction('rw', [database.tasks, database.folders], async () => {
        const found = await database.tasks.get(task.id);
        // A lost connection may have saved what it never answered: nobody was told of the task, so it is as it was made.
        if (isSameTask(found, task)) return ok();
        const parent = copiedFrom(task);
        const isOrphan = parent !== null && (await database.tasks.where('id').equals(parent).count()) === 0;
        if (isOrphan) return fail(failure('task_missing', { details: { task: parent } }));
        await database.tasks.add(task);
        await database.folders.put(folder);
        return ok();
      }),
    );
  }

  task(id: TaskId): Promise<Result<TaskRow | null>> {
    return this.#connection.run('relaxed', (database) => reading.readTask(database, id));
  }

  tasks(): Promise<Result<readonly TaskRow[]>> {
    return this.#read(async (database) => (await reading.listTasks(database)).readable);
  }

  /** The tasks that `tasks` leaves out, each with the reason. */
  quarantined(): Promise<Result<readonly QuarantinedTask[]>> {
    return this.#read(async (database) => (await reading.listTasks(database)).quarantined);
  }

  async own(id: TaskId, atMs: number): Promise<Result<TaskRow>> {
    const owned = await this.#connection.run('strict', (database) =>
      database.transaction('rw', [database.tasks], async () => {
        const found = await reading.readTask(database, id);
        if (!found.ok) return found;
        if (found.value === null) return fail(failure('task_missing', { details: { task: id } }));
        const task: TaskRow = { ...found.value, epoch: found.value.epoch + 1, updatedMs: atMs };
        await database.tasks.put(task);
        return ok(task);
      }),
    );
    if (owned.ok) this.#commits.begin(owned.value);
    return owned;
  }

  release(id: TaskId): Promise<void> {
    this.#commits.forget(id);
    return Promise.resolve();
  }

  commit(commit: Commit): Promise<Result<TaskRow>> {
    return this.#commits.save(commit);
  }

  beat(id: TaskId, epoch: number): Promise<Result<void>> {
    return this.#connection.run('relaxed', (database) =>
      database.transaction('rw', [database.tasks, database.leases], async () => {
        const owned = await ownedAt(database, id, epoch);
        if (!owned.ok) return owned;
        const before = await database.leases.get(id);
        await database.leases.put({ v: 1, id, epoch, beat: (before?.beat ?? 0) + 1 });
        return ok();
      }),
    );
  }

  lease(id: TaskId): Promise<Result<LeaseRow | null>> {
    return this.#read(async (database) => (await database.leases.get(id)) ?? null);
  }

  effect(id: TaskId, key: EffectKey): Promise<Result<EffectRow | null>> {
    return this.#read(async (database) => (await database.effects.get([id, key])) ?? null);
  }

  effectsInState(id: TaskId, state: EffectState, limit: number): Promise<Result<readonly EffectRow[]>> {
    return this.#read((database) => reading.effectsInState(database, id, state, limit));
  }

  putPartials(id: TaskId, epoch: number, partials: readonly PartialRow[]): Promise<Result<void>> {
    return this.#connection.run('relaxed', (database) =>
      database.transaction('rw', [database.tasks, database.partials], async () => {
        const owned = await ownedAt(database, id, epoch);
        if (!owned.ok) return owned;
        await database.partials.bulkPut(partials);
        return ok();
      }),
    );
  }

  partial(id: TaskId, request: ResultKey): Promise<Result<PartialRow | null>> {
    return this.#read(async (database) => (await database.partials.get([id, request])) ?? null);
  }

  partials(id: TaskId): Promise<Result<readonly PartialRow[]>> {
    return this.#read((database) => reading.listPartials(database, id));
  }

  checkpoints(id: TaskId, before: number | null, limit: number): Promise<Result<readonly CheckpointRow[]>> {
    return this.#read((database) => reading.listCheckpoints(database, id, before, limit));
  }

  async step(id: TaskId, key: StepKey): Promise<Result<StepRow | null>> {
    return first(await this.steps(id, [key]));
  }

  async steps(id: TaskId, keys: readonly StepKey[]): Promise<Result<readonly (StepRow | null)[]>> {
    return orNulls(await this.#checked(stepRows, (database) => database.steps.bulkGet(keys.map((key) => [id, key]))));
  }

  stepsByStatus(id: TaskId, status: StepStatus, limit: number): Promise<Result<readonly StepRow[]>> {
    return this.#checked(stepRows, (database) => reading.stepsByStatus(database, id, status, limit));
  }

  stepsOfType(id: TaskId, type: StepType, after: StepKey | null, limit: number): Promise<Result<readonly StepRow[]>> {
    return this.#checked(stepRows, (database) => reading.stepsOfType(database, id, type, after, limit));
  }

  stepsSince(id: TaskId, seq: number, limit: number): Promise<Result<readonly StepRow[]>> {
    return this.#checked(stepRows, (database) => reading.stepsSince(database, id, seq, limit));
  }

  async result(key: ResultKey): Promise<Result<ResultRow | null>> {
    return first(await this.results([key]));
  }

  async results(keys: readonly ResultKey[]): Promise<Result<readonly (ResultRow | null)[]>> {
    return orNulls(await this.#checked(resultRows, (database) => database.results.bulkGet([...keys])));
  }

  activity(id: TaskId, limit: number): Promise<Result<readonly ActivityRow[]>> {
    return this.#read((database) => reading.listActivity(database, id, limit));
  }

  folder(id: FolderId): Promise<Result<FolderRow | null>> {
    return this.#connection.run('relaxed', (database) => reading.readFolder(database, id));
  }

  putFolder(folder: FolderRow): Promise<Result<void>> {
    return this.#connection.run('strict', async (database) => {
      await database.folders.put(folder);
      return ok();
    });
  }

  removeTask(id: TaskId, epoch?: number): Promise<Result<Removal>> {
    this.#commits.forget(id);
    return removeTask(this.#connection, id, epoch);
  }

  freeUnused(wantedBytes: number, nowMs: number): Promise<Result<Freed>> {
    return freeResults(this.#connection, wantedBytes, nowMs);
  }

  restoreRows(id: TaskId, rows: RestoredRows, seq: number): Promise<Result<void>> {
    return restoreRows(this.#connection, id, rows, seq);
  }

  restoreTask(task: TaskRow, folder: FolderRow | null): Promise<Result<void>> {
    return restoreTask(this.#connection, task, folder);
  }

  addTask(whole: WholeTask): Promise<Result<void>> {
    return addTask(this.#connection, whole);
  }

  redo(id: TaskId, commits: readonly JournaledCommit[]): Promise<Result<TaskRow>> {
    return redo(this.#connection, id, commits);
  }

  /**
   * Finishes removals that a crash cut off, and deletes results made before `resultsBeforeMs` that nothing uses any
   * more: answers about files that have changed since. That looks at every result; 0 deletes none and looks at none.
   */
  async tidy(resultsBeforeMs: number): Promise<Result<Removal>> {
    const finished = await finishRemovals(this.#connection);
    if (!finished.ok || resultsBeforeMs <= 0) return finished;
    const unused = await removeUnusedResults(this.#connection, resultsBeforeMs);
    return unused.ok ? finished : unused;
  }

  #read<T>(work: (database: Database) => Promise<T>): Promise<Result<T>> {
    return this.#connection.run('relaxed', async (database) => ok(await work(database)));
  }

  #checked<T>(
    check: (rows: readonly T[]) => Result<readonly T[]>,
    work: (database: Database) => PromiseLike<readonly T[]>,
  ): Promise<Result<readonly T[]>> {
    return this.#connection.run('relaxed', async (database) => check(await work(database)));
  }
}

/** Failures: `task_missing`, `fenced`. */
async function ownedAt(database: Database, id: TaskId, epoch: number): Promise<Result<TaskRow>> {
  const found = await reading.readTask(database, id);
  return found.ok ? checkOwner(found.value, id, epoch) : found;
}

function first<T>(rows: Result<readonly (T | null)[]>): Result<T | null> {
  return rows.ok ? ok(rows.value[0] ?? null) : rows;
}

function orNulls<T>(rows: Result<readonly (T | undefined)[]>): Result<readonly (T | null)[]> {
  return rows.ok ? ok(rows.value.map((row) => row ?? null)) : rows;
}
