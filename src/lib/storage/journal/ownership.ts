import type { TaskId } from '../../core/ids';
import { failure, type Failure } from '../../core/failure';
import { fail, ok, type Result } from '../../core/result';
import type { TaskRow } from '../../core/task';
import { readChain, seqReached } from './chain';
import { guarded } from './guarded';
import type { JournalFiles } from './journal-files';
import { redoMissing } from './rebuild';
import { discardFile, reserveFile, type ReservedFile } from './reserved-file';
import type { RestorableStore } from './restorable-store';
import { TaskJournal } from './task-journal';

interface Parts {
  readonly store: RestorableStore;
  readonly files: JournalFiles;
}

/** A task with its new epoch, as far as its journal goes; without one of its own, for the given reason, its owner saves no work. */
export interface Ownership {
  readonly task: TaskRow;
  readonly journal: Result<TaskJournal>;
}

/**
 * Takes a task over. The epoch's file is there before the epoch is: should the database be lost in between, no rebuild
 * gives the epoch to somebody else. The owner before is fenced before what he had written ahead is carried out.
 */
export async function takeOver(parts: Parts, id: TaskId, atMs: number): Promise<Result<Ownership>> {
  const { store, files } = parts;
  const begun = await ownReserved(parts, id, atMs);
  if (!begun.ok) return begun;
  const { file } = begun.value;
  const redone = await guarded(async () => {
    // Whoever was about to delete it is fenced by the new epoch, but may never live to take its note back.
    await files.unbury(id);
    return redoWrittenAhead(parts, begun.value.task, file.ok ? file.value.name : '');
  });
  if (!redone.ok) {
    if (file.ok) await discardFile(files, id, file.value);
    return redone;
  }
  const { task, isWhole } = redone.value;
  if (!file.ok) return ok({ task, journal: file });
  const folder = await store.folder(task.folderId);
  const options = { folder: folder.ok ? folder.value : null, isBaseNeeded: !isWhole, file: file.value };
  return ok({ task, journal: await guarded(async () => ok(await TaskJournal.begin(files, store, task, options))) });
}

async function ownReserved(
  { store, files }: Parts,
  id: TaskId,
  atMs: number,
): Promise<Result<{ readonly task: TaskRow; readonly file: Result<ReservedFile> }>> {
  const found = await store.task(id);
  if (!found.ok) return found;
  if (found.value === null) return fail(gone(id));
  for (let epoch = found.value.epoch + 1; ;) {
    const wanted = epoch;
    const file = await guarded(async () => ok(await reserveFile(files, id, wanted)));
    const owned = await store.own(id, atMs);
    if (owned.ok && owned.value.epoch === epoch) return ok({ task: owned.value, file });
    if (file.ok) await discardFile(files, id, file.value);
    if (!owned.ok) return owned;
    // Somebody else has owned it in between: the epoch's file was not there before the epoch.
    epoch = owned.value.epoch + 1;
  }
}

/** Carries out what a killed owner had written ahead. Not whole: the journal lacks something that the store has. */
async function redoWrittenAhead(
  { store, files }: Parts,
  task: TaskRow,
  except: string,
): Promise<Result<{ readonly task: TaskRow; readonly isWhole: boolean }>> {
  const { id } = task;
  if ((await seqReached(files, id, except)) === task.seq) return ok({ task, isWhole: true });
  const chain = await readChain(files, id);
  if (chain === null) return ok({ task, isWhole: false });
  const isWhole = await redoMissing(files, store, id, chain);
  if (!isWhole.ok) return isWhole;
  const now = await store.task(id);
  if (!now.ok) return now;
  if (now.value === null) return fail(gone(id));
  if (now.value.epoch !== task.epoch) return fail(failure('fenced'));
  return ok({ task: now.value, isWhole: isWhole.value });
}

function gone(id: TaskId): Failure {
  return failure('task_missing', { details: { task: id } });
}
