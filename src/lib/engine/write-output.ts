import { failure, type Failure } from '../core/failure';
import type { FailureCode } from '../core/failure-codes';
import { toFailure } from '../core/failure-error';
import { slug } from '../core/output-path';
import { fail, ok, type Result } from '../core/result';
import type { TaskRow } from '../core/task';
import { folderWrites } from './effects/folder-writes';
import { OutputFiles, type FilesWritten } from './effects/output-files';
import type { EnginePorts } from './engine-ports';
import type { OwnedTask } from './owned-task';

/** A click of the person's mends it. */
const OUT_OF_REACH: readonly FailureCode[] = ['folder_permission', 'folder_missing', 'folder_not_given'];

/** Where a task writes, under `talaria/` of its folder: readable, and never another task's. */
export function outputFolder(task: Pick<TaskRow, 'id' | 'name'>): string {
  return `${slug(task.name, 'task')}-${task.id.slice(0, 6)}`;
}

/**
 * Writes the report and the results into the person's folder, when they are due and writing needs no question. What is
 * there already is not written again; what somebody else has changed is not written over before the person says so.
 * Whatever goes wrong, the task stays what it is. Ends early, with the output still due, when the owner is stopped.
 */
export async function writeOutput(ports: EnginePorts, owned: OwnedTask, report: string): Promise<void> {
  if (owned.row.output === 'none') return;
  const result = await write(ports, owned, report).catch((error: unknown) => fail(toFailure(error)));
  if (owned.signal.aborted) return;
  if (!result.ok) {
    const isRefused = OUT_OF_REACH.includes(result.failure.code);
    await owned.change({ output: isRefused ? 'refused' : 'failed' }, 'output_refused', result.failure);
    return;
  }
  const { path, written, waiting } = result.value;
  const outputPath = `talaria/${path}`;
  if (waiting > 0) {
    await owned.change({ output: 'waiting', outputPath }, 'output_waits', null, { path: outputPath, files: waiting });
  } else {
    await owned.change({ output: 'written', outputPath }, 'output_written', null, { path: outputPath, files: written });
  }
}

async function write(
  ports: EnginePorts,
  owned: OwnedTask,
  report: string,
): Promise<Result<FilesWritten & { path: string }>> {
  const folder = await owned.openFolder();
  if (!folder.ok) return folder;
  if (!(await folder.value.canWrite())) return fail(needsPermission(owned.row));
  const path = outputFolder(owned.row);
  const files = await OutputFiles.open(owned, folderWrites(folder.value, ports.digest));
  if (!files.ok) return files;
  for await (const file of ports.job(owned.row.kind).output(owned.jobContext(), report)) {
    if (owned.signal.aborted) break;
    const taken = await files.value.put({ ...file, path: `${path}/${file.path}` });
    if (!taken.ok) return taken;
  }
  const ended = await files.value.end();
  return ended.ok ? ok({ ...ended.value, path }) : ended;
}

function needsPermission(task: TaskRow): Failure {
  return failure('folder_permission', { details: { folder: task.folderName } });
}
