import type { CheckpointStore } from '../core/ports';
import type { FailureCode } from '../core/failure-codes';
import { MemoryCheckpointStore } from '../storage/checkpoint-store-memory';
import { TASK } from './engine-bench';
import { JournalDisk } from './journal-disk';

/** Where a task is kept beyond the lives of its owners. */
export interface Disk {
  /** The store as a new worker has it. */
  open(): CheckpointStore;
  /** Whether it has yet to answer something; time that passes meanwhile would be time in which it stood still. */
  readonly isBusy: boolean;
  /** Every worker is gone, in the middle of whatever it was doing. */
  kill(): Promise<void>;
  /** Does one of the kind's damages to it, while nobody works. */
  damage(what: string): Promise<void>;
}

export interface Damage {
  readonly what: string;
  /** What the next owner is told; null when it can go on from an earlier commit. */
  readonly refusal: FailureCode | null;
}

export interface DiskKind {
  readonly name: string;
  make(): Disk;
  /** None for one that is only an object. */
  readonly damages: readonly Damage[];
}

export const MEMORY: DiskKind = {
  name: 'in memory',
  make() {
    const store = new MemoryCheckpointStore();
    return { open: () => store, isBusy: false, kill: () => Promise.resolve(), damage: () => Promise.resolve() };
  },
  damages: [],
};

export const TORN: Damage = { what: 'the last line is torn', refusal: null };
export const ALTERED: Damage = { what: 'a byte in the middle is another', refusal: null };

/** What these two do to a journal's file. */
export const TORN_AND_ALTERED: Readonly<Record<string, (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>>> = {
  [TORN.what]: (bytes) => bytes.slice(0, bytes.length - 9),
  [ALTERED.what]: (bytes) => bytes.map((byte, n) => (n === Math.floor(bytes.length * 0.7) ? byte ^ 1 : byte)),
};

function journaled(end: (disk: JournalDisk) => void): Disk {
  const disk = new JournalDisk();
  return {
    open: () => disk.open(),
    isBusy: false,
    kill: async () => end(disk),
    async damage(what) {
      const change = TORN_AND_ALTERED[what];
      if (change) disk.files.damage(TASK, await disk.lastFile(TASK), change);
    },
  };
}

export const JOURNAL: DiskKind = {
  name: 'in memory behind a journal',
  make: () => journaled((disk) => disk.files.crash()),
  damages: [TORN],
};

/** As when Chromium drops a site's whole database after a crash: all that is left is the journal. */
export const JOURNAL_ALONE: DiskKind = {
  name: 'in a journal whose database is lost at every kill',
  make: () => journaled((disk) => disk.killAndWipe()),
  damages: [TORN, ALTERED],
};

export const DISK_KINDS: readonly DiskKind[] = [MEMORY, JOURNAL, JOURNAL_ALONE];
