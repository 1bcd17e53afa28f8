import { addCounts, countsDelta, NO_COUNTS, type Counts } from '../core/counts';
import { failure, type Failure } from '../core/failure';
import type { FolderRow } from '../core/folder';
import { folderId, type EndpointId, type FolderId, type ImportId } from '../core/ids';
import type { StepRow } from '../core/step';
import { goesOnByItself, MAX_CONCURRENCY, type TaskRow } from '../core/task';
import { withKeysOfItsOwn } from './brought-results';
import type { ExportedTask } from './read-export';

/** A task that is put into a store whole, with everything that it is made of. */
export type WholeTask = ExportedTask & { readonly folder: FolderRow };

const SAMPLE = folderId('sample');

interface Here {
  /** Never one that was drawn before. */
  readonly importId: ImportId;
  /** For a folder that nobody has here. Never one that is in use: its files would be read for a task that came from a file. */
  readonly folderId: FolderId;
  /** What it goes on with, as the person says: its own endpoint is another browser's, if not this one's. */
  readonly endpointId: EndpointId;
  readonly nowMs: number;
}

/**
 * A task that came from a file, as it may begin in this browser: it stands still until the person gives it its folder, its
 * answers are nobody else's, its counts are those of its steps, and it is behind none of its rows.
 */
export function importedTask(exported: ExportedTask, here: Here): WholeTask {
  const own = withKeysOfItsOwn(exported, here.importId);
  const { task, steps, activity, effects, checkpoints } = own;
  const folder = folderOf(exported, here);
  const seqs = [...steps, ...activity, ...effects, ...checkpoints].map(({ seq }) => seq);
  const whole: TaskRow = {
    ...task,
    folderId: folder.id,
    endpointId: here.endpointId,
    // Learned from a server, and true of that alone.
    contextTokens: here.endpointId === task.endpointId ? task.contextTokens : null,
    options: { ...task.options, concurrency: Math.min(task.options.concurrency, MAX_CONCURRENCY) },
    counts: stepCounts(steps),
    seq: seqs.reduce((highest, seq) => Math.max(highest, seq), task.seq),
    hold: null,
    imported: { id: here.importId, atMs: here.nowMs },
    // Kept for as long from here as one that ended here.
    updatedMs: Math.max(task.updatedMs, here.nowMs),
    // Only where it began is the task that it was forked from.
    ...(task.forkedFrom && { forkedFrom: { ...task.forkedFrom, copying: null } }),
  };
  return { ...own, folder, task: atRest(whole, folder) };
}

/** What of the task's files is done, whatever its row says. */
export function stepCounts(steps: readonly StepRow[]): Counts {
  return steps.reduce((sum, step) => addCounts(sum, countsDelta(null, step)), NO_COUNTS);
}

export function taskExists({ task }: Pick<ExportedTask, 'task'>): Failure {
  return failure('import_task_exists', { details: { task: task.name } });
}

function folderOf({ task, folder }: ExportedTask, here: Here): FolderRow {
  // By its own id: another would be some folder of this browser.
  if (folder?.kind === 'sample') return { ...folder, id: SAMPLE, handle: null };
  const { folderId: id, nowMs } = here;
  return { v: 1, id, kind: 'handle', name: task.folderName, handle: null, createdMs: nowMs, lastUsedMs: nowMs };
}

function atRest(task: TaskRow, folder: FolderRow): TaskRow {
  // Written where it came from, or when the person says so; never into a folder that was not given for it.
  if (task.output === 'due') return { ...task, output: 'refused' };
  const isStopped = task.status === 'paused' && task.reason === 'user';
  if (!goesOnByItself(task) && !isStopped) return task;
  if (folder.kind === 'sample') return { ...task, status: 'paused', reason: 'user', failure: null };
  const none = failure('folder_not_given', { details: { folder: task.folderName } });
  return { ...task, status: 'paused', reason: 'permission', failure: none };
}
