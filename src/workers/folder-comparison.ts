import { FailureError } from '../lib/core/failure-error';
import type { FileEntry, FolderComparison } from '../lib/core/folder';
import { fileStepKey, type TaskId } from '../lib/core/ids';
import { compareBatch } from '../lib/core/manifest-diff';
import type { CheckpointStore, Folder } from '../lib/core/ports';
import { fail, ok, type Result } from '../lib/core/result';

interface ComparisonOptions {
  readonly store: Pick<CheckpointStore, 'steps' | 'stepsByStatus' | 'task'>;
  readonly folder: Pick<Folder, 'walk'>;
  /** Whether the task is offered the file. */
  readonly isOffered: (path: string) => boolean;
  readonly taskId: TaskId;
  readonly signal: AbortSignal;
}

const BATCH = 500;

/**
 * What a folder is against what a task knows of it: one walk, and a look-up for each file; nothing is read or written.
 * Failures: `folder_missing`, `folder_permission`, and those of the store.
 */
export async function compareWithTask(options: ComparisonOptions): Promise<Result<FolderComparison>> {
  const { store, folder, isOffered, taskId, signal } = options;
  let [added, changed, found, problems] = [0, 0, 0, 0];
  let batch: FileEntry[] = [];

  async function compare(entries: readonly FileEntry[]): Promise<Result<void>> {
    const steps = await store.steps(
      taskId,
      entries.map(({ path }) => fileStepKey(path)),
    );
    if (!steps.ok) return steps;
    const known = steps.value.map((step) => (step?.failure?.code === 'file_gone' ? null : (step?.file ?? null)));
    const verdicts = compareBatch(entries, known);
    added += verdicts.filter((verdict) => verdict === 'added').length;
    changed += verdicts.filter((verdict) => verdict === 'changed').length;
    found += known.filter((file) => file !== null).length;
    return ok();
  }

  try {
    for await (const entries of folder.walk(signal, () => (problems += 1))) {
      batch.push(...entries.filter(({ path }) => isOffered(path)));
      while (batch.length >= BATCH) {
        const compared = await compare(batch.slice(0, BATCH));
        if (!compared.ok) return compared;
        batch = batch.slice(BATCH);
      }
    }
  } catch (error) {
    if (error instanceof FailureError) return fail(error.failure);
    throw error;
  }
  const compared = await compare(batch);
  if (!compared.ok) return compared;
  const known = await knownFiles(options);
  if (!known.ok) return known;
  return ok({ added, changed, gone: problems > 0 ? null : known.value - found });
}

/** Files that were there when the task looked last. */
async function knownFiles({ store, taskId }: ComparisonOptions): Promise<Result<number>> {
  const task = await store.task(taskId);
  if (!task.ok) return task;
  const planned = task.value?.counts.planned ?? 0;
  const skipped = await store.stepsByStatus(taskId, 'skipped', planned);
  if (!skipped.ok) return skipped;
  return ok(
    planned - skipped.value.filter((step) => step.type === 'file' && step.failure?.code === 'file_gone').length,
  );
}
