import { failure, type Failure } from '../core/failure';
import { toFailure } from '../core/failure-error';
import { slug } from '../core/output-path';
import { fail, ok, type Result } from '../core/result';
import type { TaskRow } from '../core/task';
import type { EnginePorts } from './engine-ports';
import type { OwnedTask } from './owned-task';

/** Where a task writes, under `talaria/` of its folder: readable, and never another task's. */
export function outputFolder(task: Pick<TaskRow, 'id' | 'name'>): string {
  return `${slug(task.name, 'task')}-${task.id.slice(0, 6)}`;
}

/**
 * Writes the report and the results into the person's folder, when they are due and writing needs no question. Writing
 * again writes the same, so a kill in between costs nothing but the writing. Whatever goes wrong, the task stays what it
 * is. Ends early, with the output still due, when the owner is stopped.
 */
export async function writeOutput(ports: EnginePorts, owned: OwnedTask, report: string): Promise<void> {
  if (owned.row.output === 'none') return;
  const written = await write(ports, owned, report).catch((error: unknown) => fail(toFailure(error)));
  if (owned.signal.aborted) return;
  if (written.ok) {
    const outputPath = `talaria/${written.value.path}`;
    await owned.change({ output: 'written', outputPath }, 'output_written', null, {
      path: outputPath,
      files: written.value.files,
    });
    return;
  }
  const refused = written.failure.code === 'folder_permission' || written.failure.code === 'folder_missing';
  await owned.change({ output: refused ? 'refused' : 'failed' }, 'output_refused', written.failure);
}

async function write(
  ports: EnginePorts,
  owned: OwnedTask,
  report: string,
): Promise<Result<{ path: string; files: number }>> {
  const folder = await owned.openFolder();
  if (!folder.ok) return folder;
  if (!(await folder.value.canWrite())) return fail(needsPermission(owned.row));
  const path = outputFolder(owned.row);
  let files = 0;
  const { signal } = owned;
  for await (const file of ports.job(owned.row.kind).output(owned.jobContext(), report)) {
    if (signal.aborted) break;
    const written = await folder.value.write(`${path}/${file.path}`, file.content);
    if (!written.ok) return written;
    files += 1;
  }
  return ok({ path, files });
}

function needsPermission(task: TaskRow): Failure {
  return failure('folder_permission', { details: { folder: task.folderName } });
}
