import type { Locks } from '../lib/core/ports';
import { deleteSnapshot, listSnapshots } from '../lib/folders/snapshot';
import type { JournaledCheckpointStore } from '../lib/storage/checkpoint-store-journaled';

/** One copy at a time over all tabs, so that a half made one is known to be nobody's. */
export const COPYING = 'snapshots';

interface HalfCopiesOptions {
  readonly store: Pick<JournaledCheckpointStore, 'folder' | 'areFoldersKnown'>;
  readonly locks: Locks;
  readonly opfsRoot: () => Promise<FileSystemDirectoryHandle>;
}

/**
 * Deletes copies that a killed tab left half made: no folder row names them, and nobody is copying. Nothing as long as
 * rows of a lost database wait to be put back: a task may need what looks like half a copy then.
 */
export async function forgetHalfCopies({ store, locks, opfsRoot }: HalfCopiesOptions): Promise<void> {
  await locks.hold(COPYING, new AbortController().signal, async () => {
    if (!(await store.areFoldersKnown())) return;
    const opfs = await opfsRoot();
    for (const id of await listSnapshots(opfs)) {
      const row = await store.folder(id);
      if (row.ok && row.value === null) await deleteSnapshot(opfs, id);
    }
  });
}
