import type { Failure } from '../../core/failure';
import type { Result } from '../../core/result';
import type { QuarantinedTask } from '../task-list';
import type { JournalFiles } from './journal-files';
import { readLines } from './lines';
import type { TaskId } from '../../core/ids';

/** Journals of tasks that the store has lost, and that could not be built from them: told to the person, and kept. */
export interface LeftJournals {
  /** Replaces what was told before. */
  put(left: readonly QuarantinedTask[]): Promise<Result<void>>;
  forget(id: TaskId): Promise<Result<void>>;
}

/** What can be told of a journal that no task was made of; null when there is not one whole line in it. */
export async function leftJournal(files: JournalFiles, id: TaskId, why: Failure): Promise<QuarantinedTask | null> {
  let bytes = 0;
  for (const file of await files.list(id)) {
    bytes += await files.sizeBytes(id, file);
    for await (const { entry } of readLines(files.read(id, file))) {
      const name = entry.what === 'head' ? (entry.task as { readonly name?: unknown } | undefined)?.name : '';
      return { id, name: typeof name === 'string' ? name : '', failure: why };
    }
  }
  return bytes === 0 ? null : { id, name: '', failure: why };
}
