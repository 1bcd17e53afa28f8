import type { FolderRow } from '../../core/folder';
import type { TaskId } from '../../core/ids';
import type { TaskRow } from '../../core/task';
import { fail, ok, type Result } from '../../core/result';
import { failure, type Failure } from '../../core/failure';
import { baseRows, commitsOf, readChain, type Chain, type JournaledCommit } from './chain';
import { epochOf, type JournalFiles } from './journal-files';
import type { WrittenFolder } from './lines';
import { redoRows } from './redo-rows';
import type { RestorableStore } from './restorable-store';

/** Commits carried out in one transaction: few enough to hold in memory, many enough to be quick. */
const COMMITS_AT_ONCE = 64;

/**
 * Carries out the commits that the journal has and the store lacks. Resolves to whether the journal has all that the
 * store has. The task must be the caller's: its owner before would commit beside this.
 */
export async function redoMissing(
  files: JournalFiles,
  store: RestorableStore,
  id: TaskId,
  chain: Chain,
): Promise<Result<boolean>> {
  const found = await store.task(id);
  if (!found.ok) return found;
  if (found.value === null) return fail(failure('task_missing', { details: { task: id } }));
  let { seq } = found.value;
  // What lies between the store and the base is in the base alone.
  if (seq < chain[0].head.task.seq) {
    const restored = await restore(files, store, id, chain, {
      epoch: Math.max(found.value.epoch, await lastEpoch(files, id)),
    });
    return restored.ok ? ok(true) : restored;
  }
  let reached = chain[0].head.task.seq;
  for await (const batch of inBatches(commitsOf(files, id, chain))) {
    reached = batch.at(-1)?.seq ?? reached;
    if (reached <= seq) continue;
    const saved = await store.redo(id, batch);
    if (!saved.ok) return saved;
    seq = saved.value.seq;
  }
  return ok(reached === seq);
}

/**
 * Builds a task that the store has lost from its journal alone. Failures: `row_unreadable` when the journal holds no whole
 * base, `row_from_newer_version`, and those of the store.
 */
export async function rebuildTask(
  files: JournalFiles,
  store: RestorableStore,
  id: TaskId,
  nowMs: number,
): Promise<Result<void>> {
  const chain = await readChain(files, id);
  if (chain === null) return fail(unreadable(id));
  const version: number = chain[0].head.v;
  if (version > 1) return fail(failure('row_from_newer_version', { details: { table: 'journal', id, version } }));
  // No owner's epoch may come a second time, also not one that committed nothing: its file was there before the epoch.
  return restore(files, store, id, chain, { epoch: await lastEpoch(files, id), rebuiltMs: nowMs });
}

export function unreadable(id: TaskId): Failure {
  const message = 'journal: no whole beginning';
  return failure('row_unreadable', { message, details: { table: 'journal', id, field: 'base' } });
}

/** Puts everything that the journal has, the task's own row last: cut off, it has changed nothing that anybody sees. */
async function restore(
  files: JournalFiles,
  store: RestorableStore,
  id: TaskId,
  chain: Chain,
  fields: Pick<TaskRow, 'epoch' | 'rebuiltMs'>,
): Promise<Result<void>> {
  const [{ head }] = chain;
  for await (const rows of baseRows(files, id, chain)) {
    const put = await store.restoreRows(id, rows, head.task.seq);
    if (!put.ok) return put;
  }
  let { task } = head;
  for await (const batch of inBatches(commitsOf(files, id, chain))) {
    const redone = redoRows(task, batch);
    if (!redone.ok) return redone;
    task = redone.value.task;
    const put = await store.restoreRows(id, redone.value, task.seq);
    if (!put.ok) return put;
  }
  return store.restoreTask({ ...task, ...fields }, withoutHandle(head.folder));
}

async function lastEpoch(files: JournalFiles, id: TaskId): Promise<number> {
  return Math.max(...(await files.list(id)).map(epochOf));
}

function withoutHandle(folder: WrittenFolder | null): FolderRow | null {
  return folder && { ...folder, handle: null };
}

async function* inBatches(commits: AsyncIterable<JournaledCommit>): AsyncIterable<readonly JournaledCommit[]> {
  let batch: JournaledCommit[] = [];
  for await (const commit of commits) {
    batch.push(commit);
    if (batch.length < COMMITS_AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
