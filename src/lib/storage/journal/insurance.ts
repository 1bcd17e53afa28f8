import type { CheckpointStore } from '../../core/ports';
import { ok } from '../../core/result';
import type { TaskRow } from '../../core/task';
import { guarded } from './guarded';
import type { JournalFiles } from './journal-files';
import { reserveFile } from './reserved-file';
import { TaskJournal } from './task-journal';

interface Parts {
  readonly store: CheckpointStore;
  readonly files: JournalFiles;
}

/** Gives a task that nobody owns and that has no journal a whole one. Where that is refused it goes on without. */
export async function insure({ files, store }: Parts, task: TaskRow): Promise<void> {
  const folder = await store.folder(task.folderId);
  await guarded(async () => {
    const file = await reserveFile(files, task.id, task.epoch);
    const options = { folder: folder.ok ? folder.value : null, isBaseNeeded: true, file };
    (await TaskJournal.begin(files, store, task, options)).close();
    return ok();
  });
}
