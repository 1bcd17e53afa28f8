import type { Clock, Locks } from '../core/ports';
import { IdbCheckpointStore } from './checkpoint-store-idb';
import { JournaledCheckpointStore } from './checkpoint-store-journaled';
import { Connection } from './connection';
import { bucketFactory, Copies, COPIES_BUCKET, isBorn } from './copies';
import { OpfsJournalFiles } from './journal/journal-files-opfs';
import { IdbLeftJournals } from './left-journals-idb';
import { CopiedProfileStore } from './profile-store-copied';
import { IdbProfileStore } from './profile-store-idb';
import { IdbSweepMemory } from './sweep-memory-idb';

export interface Storage {
  readonly checkpoints: JournaledCheckpointStore;
  readonly profiles: CopiedProfileStore;
  readonly sweepMemory: IdbSweepMemory;
  readonly close: () => void;
}

interface StorageOptions {
  readonly locks: Locks;
  readonly clock: Clock;
  /** The browser's own file system, where journals lie. */
  readonly opfsRoot: () => Promise<FileSystemDirectoryHandle>;
  /** Of the database and its copy's bucket. @default the app's own */
  readonly name?: string;
}

/** The worker's stores over one connection. Nothing is opened, and nothing can fail, before the first use. */
export function openStorage({ locks, clock, opfsRoot, name }: StorageOptions): Storage {
  const connection = new Connection(name);
  const copies = new Copies(connection, () => bucketFactory(name ?? COPIES_BUCKET));
  const store = new IdbCheckpointStore(connection);
  const files = new OpfsJournalFiles(opfsRoot);
  const checkpoints = new JournaledCheckpointStore({
    store,
    files,
    copies,
    left: new IdbLeftJournals(connection),
    locks,
    clock,
  });
  connection.isInUse = isBorn;
  // Nobody should have to wait until something is to be saved.
  connection.onLetGo = () => void checkpoints.tasks();
  connection.onMadeAnew = () => {
    copies.lookAgain();
    checkpoints.inOrder.forget();
  };
  return {
    checkpoints,
    profiles: new CopiedProfileStore(new IdbProfileStore(connection), copies),
    sweepMemory: new IdbSweepMemory(connection),
    close: () => {
      connection.close();
      void copies.close();
    },
  };
}
