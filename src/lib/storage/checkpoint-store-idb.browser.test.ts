import Dexie from 'dexie';
import { afterEach, describe } from 'vitest';
import { checkpointStoreConformance } from './checkpoint-store.conformance';
import { IdbCheckpointStore } from './checkpoint-store-idb';
import { Connection } from './connection';

const opened: { connection: Connection; name: string }[] = [];

function connect(name = `test-${crypto.randomUUID()}`): Connection {
  const connection = new Connection(name);
  opened.push({ connection, name });
  return connection;
}

afterEach(async () => {
  for (const { connection } of opened) connection.close();
  for (const name of new Set(opened.splice(0).map((one) => one.name))) await Dexie.delete(name);
});

describe('checkpoints in IndexedDB', () => {
  checkpointStoreConformance(async () => new IdbCheckpointStore(connect()));
});
