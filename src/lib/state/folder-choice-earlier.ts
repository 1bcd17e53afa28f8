import type { FolderSource } from '../bridge/agent-api';
import type { FolderComparison, FolderRow } from '../core/folder';
import type { TaskId } from '../core/ids';
import type { TaskRow } from '../core/task';
import { agent } from './agent.svelte';

/**
 * The newest task that worked on the same folder: the same directory on disk, or for copies and the sample one of the
 * same name. Null when there is none.
 */
export async function findEarlierTask(
  source: FolderSource,
  name: string,
  tasks: readonly TaskRow[],
  folders: readonly FolderRow[],
): Promise<TaskRow | null> {
  const same = await Promise.all(folders.map((folder) => isSame(source, name, folder)));
  const ids = new Set(folders.filter((_, at) => same[at]).map((folder) => folder.id));
  return tasks.filter((task) => ids.has(task.folderId)).reduce<TaskRow | null>(newer, null);
}

/** What became of the folder since the task last looked. Null where it cannot be told: of copies, only another one could. */
export async function compareWithTask(source: FolderSource, id: TaskId): Promise<FolderComparison | null> {
  if (source.kind !== 'handle') return null;
  const compared = await agent.ask((api) => api.compareFolder(source, id));
  return compared.ok ? compared.value : null;
}

async function isSame(source: FolderSource, name: string, folder: FolderRow): Promise<boolean> {
  if (source.kind !== folder.kind) return false;
  switch (source.kind) {
    case 'sample':
      return true;
    case 'snapshot':
      return folder.name === name;
    case 'handle':
      // A handle whose folder was deleted cannot be compared.
      return folder.handle === null ? false : source.handle.isSameEntry(folder.handle).catch(() => false);
  }
}

function newer(best: TaskRow | null, task: TaskRow): TaskRow {
  return best === null || task.updatedMs > best.updatedMs ? task : best;
}
