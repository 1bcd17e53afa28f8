import { failure } from '../core/failure';
import type { FolderRow } from '../core/folder';
import type { TaskId } from '../core/ids';
import { fail, ok, type Result } from '../core/result';
import type { TaskRow } from '../core/task';
import { agent } from './agent.svelte';
import { rows } from './page-rows';

type Permission = 'granted' | 'denied' | 'prompt';

/** What folder handles can do in browsers that have a picker; not in the standard typings. */
interface AskableHandle {
  queryPermission?(options: { mode: 'read' }): Promise<Permission>;
  requestPermission?(options: { mode: 'read' }): Promise<Permission>;
}

/** As the page shows it. */
type ContinuedTask = Pick<TaskRow, 'id' | 'folderId' | 'epoch' | 'status'>;

/**
 * Continues a task. Call it from the click itself: only a page, in a click, may ask for a folder's permission, and the
 * worker that needs it cannot. Failures: `folder_permission` when it is not granted, and those of the worker.
 */
export async function continueTask(task: ContinuedTask): Promise<Result<void>> {
  const folder = await rows.folder(task.folderId);
  if (folder.ok && folder.value) {
    const allowed = await allowReading(folder.value);
    if (!allowed.ok) return allowed;
  }
  const { epoch, status } = task;
  return agent.ask((api) => api.continueTask(task.id, { epoch, status }));
}

/** Asks for the folder unless it is allowed already. Folders without a handle need nobody's permission. */
export async function allowReading(folder: FolderRow): Promise<Result<void>> {
  const handle: (FileSystemDirectoryHandle & AskableHandle) | null = folder.handle;
  if (!handle?.queryPermission || !handle.requestPermission) return ok();
  const denied = (message: string) => fail(failure('folder_permission', { message, details: { folder: folder.name } }));
  try {
    if ((await handle.queryPermission({ mode: 'read' })) === 'granted') return ok();
    const answer = await handle.requestPermission({ mode: 'read' });
    return answer === 'granted' ? ok() : denied(`the browser answered ${answer}`);
  } catch (error) {
    return denied(error instanceof Error ? error.message : String(error));
  }
}

/** Continues them one after the other, so that the browser asks for one folder at a time. */
export async function continueAll(tasks: readonly ContinuedTask[]): Promise<ReadonlyMap<TaskId, Result<void>>> {
  const results = new Map<TaskId, Result<void>>();
  for (const task of tasks) results.set(task.id, await continueTask(task));
  return results;
}
