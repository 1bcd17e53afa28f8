import { FailureError } from '../core/failure-error';
import { fail, type Result } from '../core/result';
import type { OwnedTask } from './owned-task';
import { planFolder } from './plan-folder';

type Planned = Awaited<ReturnType<typeof planFolder>>;

/** One walk of the task's folder. Failures: those of the folder, of the store, and `folder_empty`. */
export async function planTask(
  owned: OwnedTask,
  signal: AbortSignal,
  onWork: () => void,
): Promise<Planned | Result<never>> {
  const { ports, row } = owned;
  const folder = await owned.readableFolder();
  if (!folder.ok) return folder;
  try {
    return await planFolder({
      taskId: row.id,
      store: ports.store,
      folder: folder.value,
      digest: ports.digest,
      signal,
      verdict: ports.fileFilter(row.options),
      submit: (draft) => owned.submit(draft),
      onWork,
    });
  } catch (error) {
    if (error instanceof FailureError) return fail(error.failure);
    throw error;
  }
}
