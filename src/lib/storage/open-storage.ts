import { IdbCheckpointStore } from './checkpoint-store-idb';
import { Connection } from './connection';
import { IdbProfileStore } from './profile-store-idb';
import { IdbSweepMemory } from './sweep-memory-idb';

export interface Storage {
  readonly checkpoints: IdbCheckpointStore;
  readonly profiles: IdbProfileStore;
  readonly sweepMemory: IdbSweepMemory;
  readonly close: () => void;
}

/** The worker's stores over one connection. Nothing is opened, and nothing can fail, before the first use. */
export function openStorage(name?: string): Storage {
  const connection = new Connection(name);
  return {
    checkpoints: new IdbCheckpointStore(connection),
    profiles: new IdbProfileStore(connection),
    sweepMemory: new IdbSweepMemory(connection),
    close: () => connection.close(),
  };
}
