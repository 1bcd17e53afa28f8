/** The stores that ship, opened beside each other under names of their own, with a task that is owned. */
import { mergeDrafts, type Commit, type CommitDraft } from '../../../../src/lib/core/commit';
import type { FolderRow } from '../../../../src/lib/core/folder';
import { endpointId, folderId, taskId } from '../../../../src/lib/core/ids';
import type { CheckpointStore } from '../../../../src/lib/core/ports';
import type { Result } from '../../../../src/lib/core/result';
import type { TaskRow } from '../../../../src/lib/core/task';
import { newTaskRow } from '../../../../src/lib/engine/new-task-row';
import { browserClock } from '../../../../src/lib/platform/clock';
import { availableLocks } from '../../../../src/lib/platform/locks-web';
import { IdbCheckpointStore } from '../../../../src/lib/storage/checkpoint-store-idb';
import { Connection } from '../../../../src/lib/storage/connection';
import { openStorage } from '../../../../src/lib/storage/open-storage';

export interface OwnedStore {
  readonly store: CheckpointStore;
  readonly task: TaskRow;
  readonly commit: (draft: CommitDraft) => Promise<TaskRow>;
}

export const clock = browserClock();

export const OPTIONS = {
  v: 1,
  template: 'summary',
  instructions: '',
  language: 'en',
  include: [],
  exclude: [],
  concurrency: 6,
} as const;

/** As the app has it: the journal in front of the database. */
export function journaledStore(name: string): Promise<OwnedStore> {
  const opfsRoot = async () => (await navigator.storage.getDirectory()).getDirectoryHandle(name, { create: true });
  return owned(name, openStorage({ locks: availableLocks(), clock, opfsRoot, name }).checkpoints);
}

/** The database alone. */
export function databaseStore(name: string): Promise<OwnedStore> {
  return owned(name, new IdbCheckpointStore(new Connection(name)));
}

export function newTask(name: string): { task: TaskRow; folder: FolderRow } {
  const folder: FolderRow = {
    v: 1,
    id: folderId(`folder-${name}`),
    kind: 'sample',
    name,
    handle: null,
    createdMs: 1_760_000_000_000,
    lastUsedMs: 1_760_000_000_000,
  };
  const id = taskId(`task-${name}`);
  const task = newTaskRow({ id, name, options: OPTIONS, folder, endpointId: endpointId('bench'), nowMs: clock.now() });
  return { task, folder };
}

async function owned(name: string, store: CheckpointStore): Promise<OwnedStore> {
  const { task, folder } = newTask(name);
  unwrap(await store.createTask(task, folder));
  const row = unwrap(await store.own(task.id, clock.now()));
  return { store, task: row, commit: async (draft) => unwrap(await store.commit(commitOf(row, draft))) };
}

export function commitOf({ id, epoch }: TaskRow, draft: CommitDraft): Commit {
  return { ...mergeDrafts([draft]), taskId: id, epoch, atMs: clock.now() };
}

export function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.message}`);
  return result.value;
}
