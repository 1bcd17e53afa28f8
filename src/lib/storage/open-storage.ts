import type { Clock, Locks } from '../core/ports';
import { IdbCheckpointStore } from './checkpoint-store-idb';
import { JournaledCheckpointStore } from './checkpoint-store-journaled';
import { Connection } from './connection';
import { OpfsJournalFiles } from './journal/journal-files-opfs';
import { IdbProfileStore } from './profile-store-idb';
import { IdbSweepMemory } from './sweep-memory-idb';

export interface Storage {
  readonly checkpoints: JournaledCheckpointStore;
  readonly profiles: IdbProfileStore;
  readonly sweepMemory: IdbSweepMemory;
  readonly close: () => void;
}

interface StorageOptions {
  readonly locks: Locks;
  readonly clock: Clock;
  /** The browser's own file system, where journals lie. */
  readonly opfsRoot: () => Promise<FileSystemDirectoryHandle>;
  /** @default the app's database */
  readonly name?: string;
}

/** The worker's stores over one connection. Nothing is opened, and nothing can fail, before the first use. */
export function openStorage({ locks, clock, opfsRoot, name }: StorageOptions): Storage {
  const connection = new Connection(name);
  const store = new IdbCheckpointStore(connection);
  return {
    checkpoints: new JournaledCheckpointStore({ store, files: new OpfsJournalFiles(opfsRoot), locks, clock }),
    profiles: new IdbProfileStore(connection),
    sweepMemory: new IdbSweepMemory(connection),
    close: () => connection.close(),
  };
}
