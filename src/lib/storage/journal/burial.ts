/** Deleting a task that has a journal: a note first, since a journal without one would bring the task back. */
import type { FolderRow } from '../../core/folder';
import type { TaskId } from '../../core/ids';
import type { Removal } from '../../core/ports';
import { ok, type Result } from '../../core/result';
import { lastOwner } from './chain';
import { epochOf, type Burial, type JournalFiles } from './journal-files';
import type { RestorableStore } from './restorable-store';

interface Parts {
  readonly store: RestorableStore;
  readonly files: JournalFiles;
}

/** With `epoch`, `fenced` when the task has another by now. A deletion that is refused leaves the task as it was. */
export async function removeJournaled(parts: Parts, id: TaskId, epoch?: number): Promise<Result<Removal>> {
  await buryOrForget(parts, id, epoch ?? (await epochNow(parts, id)));
  const removed = await parts.store.removeTask(id, epoch);
  if (!removed.ok) {
    await takeBackNote(parts, id);
    return removed;
  }
  // What does not go now goes at the next start: the note is left.
  await parts.files.removeAll(id).catch(() => false);
  return removed;
}

export interface Ended {
  /** False: somebody has taken the task up since, or its deletion was refused. */
  readonly isGone: boolean;
  readonly folders: readonly FolderRow[];
}

/** Brings a deletion to its end that was cut off. Fails only where nothing else can be done in the store either. */
export async function endBurial(parts: Parts, id: TaskId, { epoch }: Burial): Promise<Result<Ended>> {
  const kept = { isGone: false, folders: [] };
  if (epoch !== null && ((await lastOwner(parts.files, id)) ?? epoch) > epoch) {
    await parts.files.unbury(id);
    return ok(kept);
  }
  const removed = await parts.store.removeTask(id, epoch ?? undefined);
  if (!removed.ok) {
    const { code, verdict } = removed.failure;
    if (verdict === 'wait' && code !== 'storage_full') return removed;
    await takeBackNote(parts, id);
    return ok(kept);
  }
  await parts.files.removeAll(id).catch(() => false);
  return ok({ isGone: true, folders: removed.value.removedFolders });
}

/** Whoever was told that the task is not deleted finds it at the next start. Where its row is gone, it is deleted. */
async function takeBackNote({ store, files }: Parts, id: TaskId): Promise<void> {
  const found = await store.task(id);
  const isThere = found.ok ? found.value !== null : found.failure.verdict !== 'wait';
  if (isThere) await files.unbury(id);
}

/** The epoch that the task has, or that a rebuild would give it; null when its row cannot be read. */
async function epochNow({ store, files }: Parts, id: TaskId): Promise<number | null> {
  const found = await store.task(id);
  if (!found.ok) return null;
  if (found.value !== null) return found.value.epoch;
  const names = await files.list(id);
  return names.length > 0 ? Math.max(...names.map(epochOf)) : null;
}

/** On a full disk there is no room even for the note: then the journal goes first, and the task is whole without it. */
async function buryOrForget({ files }: Parts, id: TaskId, epoch: number | null): Promise<void> {
  try {
    await files.bury(id, epoch);
  } catch (error) {
    if (!(await files.removeAll(id))) throw error;
  }
}
