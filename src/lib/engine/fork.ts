import { failure } from '../core/failure';
import { FORK_BEGIN, isWhole, type ForkChanges } from '../core/fork-origin';
import type { TaskId } from '../core/ids';
import type { CheckpointStore, Clock } from '../core/ports';
import { fail, ok, type Result } from '../core/result';
import type { BatchOptions, TaskRow } from '../core/task';
import { newTaskRow } from './new-task-row';

interface ForkRequest {
  /** The new task's. */
  readonly id: TaskId;
  readonly parent: TaskId;
  /** The commit whose state the fork begins with: of a checkpoint, or the parent's last. */
  readonly seq: number;
  readonly changes?: ForkChanges;
}

/**
 * Makes a task that begins with the state that another had at a point of its past. The other task is only read. What
 * was done there is done here when nothing that a request is made of differs; otherwise every file is looked at again,
 * and asked about when its input hash is another. The steps themselves are copied by the fork's owner before anything
 * else (`copyPast`), so a kill leaves nothing, or a task that becomes whole when it goes on. Failures: `task_missing`,
 * `checkpoint_missing`, `folder_missing`, and those of the store.
 */
export async function fork(
  { store, clock }: { readonly store: CheckpointStore; readonly clock: Clock },
  { id, parent: parentId, seq, changes = {} }: ForkRequest,
): Promise<Result<TaskRow>> {
  const found = await store.task(parentId);
  if (!found.ok) return found;
  const parent = found.value;
  if (parent === null) return fail(failure('task_missing', { details: { task: parentId } }));
  const atMs = await momentOf(store, parent, seq);
  if (!atMs.ok) return atMs;
  const folder = await store.folder(parent.folderId);
  if (!folder.ok) return folder;
  if (folder.value === null) return fail(failure('folder_missing', { details: { folder: parent.folderName } }));
  const { name = `${parent.name} (fork)`, endpointId = parent.endpointId, ...asked } = changes;
  const keepsResults = endpointId === parent.endpointId && isSameAsk(parent.options, { ...parent.options, ...asked });
  const options = { ...parent.options, ...asked, ...(keepsResults ? sameAskOf(parent.options) : {}) };
  const task: TaskRow = {
    ...newTaskRow({ id, name, options, folder: folder.value, endpointId, nowMs: clock.now() }),
    contextTokens: endpointId === parent.endpointId ? parent.contextTokens : null,
    ...(parent.tokenRatio && { tokenRatio: parent.tokenRatio }),
    // What came with its file is its fork's, too.
    ...(parent.imported && { imported: parent.imported }),
    forkedFrom: { taskId: parentId, name: parent.name, seq, atMs: atMs.value, keepsResults, copying: FORK_BEGIN },
  };
  const made = await store.createTask(task, folder.value);
  return made.ok ? ok(task) : made;
}

/** When the commit was made; `checkpoint_missing` for what is older than all that is known of the task's past. */
async function momentOf(store: CheckpointStore, parent: TaskRow, seq: number): Promise<Result<number>> {
  const missing = fail(failure('checkpoint_missing', { details: { task: parent.id, seq } }));
  // A fork that is not whole yet has nothing that another could begin with.
  if (seq > parent.seq || (parent.forkedFrom && !isWhole(parent.forkedFrom))) return missing;
  const past = await store.checkpoints(parent.id, seq + 1, 1);
  if (!past.ok) return past;
  const [checkpoint] = past.value;
  if (checkpoint) return ok(checkpoint.atMs);
  return seq === parent.seq ? ok(parent.updatedMs) : missing;
}

function isSameAsk(a: BatchOptions, b: BatchOptions): boolean {
  return (
    a.template === b.template &&
    a.language === b.language &&
    a.instructions.trim() === b.instructions.trim() &&
    JSON.stringify(a.fields ?? []) === JSON.stringify(b.fields ?? [])
  );
}

/** Written the same way too: lengths are counted with the spaces around. */
function sameAskOf({ template, language, instructions }: BatchOptions) {
  return { template, language, instructions };
}
