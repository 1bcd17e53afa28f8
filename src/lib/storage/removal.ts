/**
 * Removing a task in batches. The task's row goes first, so nothing can be committed to it any more, together with a
 * note of what is still to be done; a removal cut off by a crash is finished by the next one or by `tidy`.
 */
import Dexie from 'dexie';
import { failure } from '../core/failure';
import type { FolderRow } from '../core/folder';
import { unfinishedForkOf } from '../core/fork-origin';
import type { ResultKey, TaskId } from '../core/ids';
import { fail, ok, type Result } from '../core/result';
import type { Removal } from '../core/ports';
import type { Connection } from './connection';
import type { Database, RemovalRow } from './database';
import { keysOfThePast } from './past-results';
import { lastUseMs } from './put-results';
import { folderRow, stringIn } from './row-shapes';
import { sortTasks } from './task-list';

/** Small enough that a commit of another task, which waits meanwhile, does not wait long. */
const STEPS_A_BATCH = 200;
const LINES_A_BATCH = 1_000;
const RESULTS_A_BATCH = 500;

export async function removeTask(connection: Connection, id: TaskId, epoch?: number): Promise<Result<Removal>> {
  const begun = await connection.run('strict', (database) => begin(database, id, epoch));
  if (!begun.ok) return begun;
  return finishRemovals(connection);
}

/** Finishes every removal that was begun. */
export async function finishRemovals(connection: Connection): Promise<Result<Removal>> {
  const begun = await connection.run('relaxed', async (database) => ok(await database.removals.toArray()));
  if (!begun.ok) return begun;
  const removedFolders: FolderRow[] = [];
  for (const removal of begun.value) {
    for (const batch of [removePast, removeActivity, removeEffects]) {
      const emptied = await repeatUntilEmpty(connection, (database) => batch(database, removal.id));
      if (!emptied.ok) return emptied;
    }
    // After its own past is gone: what is left is other tasks'.
    const past = await keysOfThePast(connection, LINES_A_BATCH);
    if (!past.ok) return past;
    const emptied = await repeatUntilEmpty(connection, (database) => removeSteps(database, removal.id, past.value));
    if (!emptied.ok) return emptied;
    const left = await connection.run('relaxed', (database) => removeFew(database, removal.id));
    if (!left.ok) return left;
    const ended = await connection.run('relaxed', (database) => end(database, removal, past.value));
    if (!ended.ok) return ended;
    if (removal.folder !== null) removedFolders.push(removal.folder);
  }
  return ok({ removedFolders });
}

/** Deletes results that no step, no report and no checkpoint uses and that are older than `beforeMs`, page by page of keys. */
export async function removeUnusedResults(connection: Connection, beforeMs: number): Promise<Result<void>> {
  const past = await keysOfThePast(connection, LINES_A_BATCH);
  if (!past.ok) return past;
  let after = '';
  for (;;) {
    const page = await connection.run('relaxed', async (database) =>
      ok(await removeUnusedPage(database, after, beforeMs, past.value)),
    );
    if (!page.ok) return page;
    if (page.value === null) return ok();
    after = page.value;
  }
}

async function repeatUntilEmpty(
  connection: Connection,
  batch: (database: Database) => PromiseLike<number>,
): Promise<Result<void>> {
  for (;;) {
    const removed = await connection.run('relaxed', async (database) => ok(await batch(database)));
    if (!removed.ok) return removed;
    if (removed.value === 0) return ok();
  }
}

function begin(database: Database, id: TaskId, epoch?: number): PromiseLike<Result<void>> {
  return database.transaction('rw', [database.tasks, database.folders, database.removals], async () => {
    const row = await database.tasks.get(id);
    if (row === undefined) return ok();
    if (epoch !== undefined) {
      const isTaken =
        epochOf(row) !== epoch || unfinishedForkOf(sortTasks(await database.tasks.toArray()).readable, id) !== null;
      if (isTaken) return fail(failure('fenced'));
    }
    await database.tasks.delete(id);
    await database.removals.put({
      id,
      report: (stringIn(row, 'report') || null) as ResultKey | null,
      folder: await takeFolder(database, stringIn(row, 'folderId') as FolderRow['id']),
    });
    return ok();
  });
}

/** Deletes the folder's row unless a task is left that needs it. */
async function takeFolder(database: Database, id: FolderRow['id']): Promise<FolderRow | null> {
  const tasks = await database.tasks.toArray();
  if (tasks.some((task) => stringIn(task, 'folderId') === id)) return null;
  const folder = folderRow(await database.folders.get(id), id);
  await database.folders.delete(id);
  return folder.ok ? folder.value : null;
}

function removeSteps(database: Database, id: TaskId, past: ReadonlySet<string>): PromiseLike<number> {
  return database.transaction('rw', [database.tasks, database.steps, database.results], async () => {
    const batch = await database.steps
      .where('[taskId+key]')
      .between([id, Dexie.minKey], [id, Dexie.maxKey])
      .limit(STEPS_A_BATCH)
      .toArray();
    await database.steps.bulkDelete(batch.map((step) => [step.taskId, step.key]));
    await removeIfUnused(database, [...new Set(batch.flatMap((step) => step.resultKey ?? []))], past);
    return batch.length;
  });
}

function removeActivity(database: Database, id: TaskId): PromiseLike<number> {
  return database.activity
    .where('[taskId+seq+n]')
    .between([id, Dexie.minKey, Dexie.minKey], [id, Dexie.maxKey, Dexie.maxKey])
    .limit(LINES_A_BATCH)
    .delete();
}

/** As many rows as requests were under way. */
async function removeFew(database: Database, id: TaskId): Promise<Result<void>> {
  await database.leases.delete(id);
  await database.partials.where('[taskId+request]').between([id, Dexie.minKey], [id, Dexie.maxKey]).delete();
  return ok();
}

function removePast(database: Database, id: TaskId): PromiseLike<number> {
  return database.checkpoints
    .where('[taskId+seq]')
    .between([id, Dexie.minKey], [id, Dexie.maxKey])
    .limit(LINES_A_BATCH)
    .delete();
}

function removeEffects(database: Database, id: TaskId): PromiseLike<number> {
  return database.effects
    .where('[taskId+key]')
    .between([id, Dexie.minKey], [id, Dexie.maxKey])
    .limit(LINES_A_BATCH)
    .delete();
}

function end(database: Database, removal: RemovalRow, past: ReadonlySet<string>): PromiseLike<Result<void>> {
  return database.transaction('rw', [database.tasks, database.steps, database.results, database.removals], async () => {
    if (removal.report !== null) await removeIfUnused(database, [removal.report], past);
    await database.removals.delete(removal.id);
    return ok();
  });
}

async function removeIfUnused(
  database: Database,
  keys: readonly ResultKey[],
  past: ReadonlySet<string>,
): Promise<void> {
  const reports = await reportKeys(database);
  const candidates = keys.filter((key) => !reports.has(key) && !past.has(key));
  const uses = await Promise.all(
    candidates.map((key) => database.steps.where('resultKey').equals(key).limit(1).count()),
  );
  await database.results.bulkDelete(candidates.filter((_, index) => uses[index] === 0));
}

function removeUnusedPage(
  database: Database,
  after: string,
  beforeMs: number,
  past: ReadonlySet<string>,
): PromiseLike<string | null> {
  return database.transaction('rw', [database.tasks, database.steps, database.results], async () => {
    const keys = await database.results.where('key').above(after).limit(RESULTS_A_BATCH).primaryKeys();
    const first = keys[0];
    const last = keys.at(-1);
    if (first === undefined || last === undefined) return null;
    const used = new Set(await database.steps.where('resultKey').between(first, last, true, true).uniqueKeys());
    const reports = await reportKeys(database);
    const unused = keys.filter((key) => !used.has(key) && !reports.has(key) && !past.has(key));
    const rows = await database.results.bulkGet(unused);
    const old = rows.filter((row) => row !== undefined && lastUseMs(row) < beforeMs);
    await database.results.bulkDelete(old.flatMap((row) => (row === undefined ? [] : [row.key])));
    return last;
  });
}

async function reportKeys(database: Database): Promise<Set<string>> {
  return new Set((await database.tasks.toArray()).map((task) => stringIn(task, 'report')));
}

function epochOf(row: unknown): unknown {
  return typeof row === 'object' && row !== null ? Reflect.get(row, 'epoch') : null;
}
