import { afterEach, describe, expect, it } from 'vitest';
import { endpointId, fileStepKey, folderId, partStepKey, resultKey, taskId } from '../core/ids';
import { sampleCommit } from '../testing/sample-rows';
import { valueOf } from './checkpoint-store.conformance';
import { IdbCheckpointStore } from './checkpoint-store-idb';
import written from './fixtures/database-v1.json';
import { IdbProfileStore } from './profile-store-idb';
import { closeScratch, rawOpen, scratchConnection, scratchName } from './scratch-database';

/** How version 1 of the app laid its database out, said again: this must never change with the code. */
const LAYOUT: Readonly<
  Record<keyof typeof written, { key: string | string[]; indices: Readonly<Record<string, string | string[]>> }>
> = {
  tasks: { key: 'id', indices: {} },
  steps: {
    key: ['taskId', 'key'],
    indices: {
      '[taskId+status]': ['taskId', 'status'],
      '[taskId+seq]': ['taskId', 'seq'],
      resultKey: 'resultKey',
    },
  },
  results: { key: 'key', indices: {} },
  activity: { key: ['taskId', 'seq', 'n'], indices: {} },
  folders: { key: 'id', indices: {} },
  endpoints: { key: 'id', indices: {} },
  keys: { key: 'id', indices: {} },
  settings: { key: 'name', indices: {} },
  vault: { key: 'name', indices: {} },
  removals: { key: 'id', indices: {} },
};
const VERSION_1 = 10;

/** A database as version 1 left it, made without any of our code. */
async function databaseOfVersion1(): Promise<string> {
  const name = scratchName();
  const database = await rawOpen(name, VERSION_1, (made) => {
    for (const [table, { key, indices }] of Object.entries(LAYOUT)) {
      const store = made.createObjectStore(table, { keyPath: key });
      for (const [index, path] of Object.entries(indices)) store.createIndex(index, path);
    }
  });
  await new Promise<void>((resolve, reject) => {
    const writing = database.transaction(Object.keys(LAYOUT), 'readwrite');
    for (const [table, rows] of Object.entries(written)) for (const row of rows) writing.objectStore(table).put(row);
    writing.oncomplete = () => resolve();
    writing.onerror = () => reject(new Error(`not written: ${String(writing.error)}`));
  });
  database.close();
  return name;
}

afterEach(closeScratch);

describe('a database of version 1', () => {
  it('is read whole: tasks in every state, and all that is theirs', async () => {
    const store = new IdbCheckpointStore(scratchConnection(await databaseOfVersion1()));
    const tasks = valueOf(await store.tasks());
    expect(new Set(tasks.map(({ id }) => id))).toEqual(new Set(written.tasks.map(({ id }) => id)));
    expect(valueOf(await store.quarantined())).toEqual([]);
    for (const task of written.tasks) {
      const id = taskId(task.id);
      expect(valueOf(await store.task(id))).toEqual(task);
      expect(valueOf(await store.stepsSince(id, -1, 99))).toHaveLength(4);
      expect(valueOf(await store.stepsByStatus(id, 'failed', 9)).map(({ key }) => key)).toEqual(['file/文件/b.txt']);
      expect(valueOf(await store.step(id, partStepKey('long.txt', 0)))).toMatchObject({ type: 'part', status: 'done' });
      expect(valueOf(await store.activity(id, 9))).toHaveLength(1);
    }
    for (const result of written.results) expect(valueOf(await store.result(resultKey(result.key)))).toEqual(result);
    expect(valueOf(await store.folder(folderId('folder-v1')))).toEqual(written.folders[0]);
  });

  it('is worked on: every task can be taken over, written to and removed', async () => {
    const store = new IdbCheckpointStore(scratchConnection(await databaseOfVersion1()));
    for (const { id, epoch, seq } of written.tasks) {
      const owned = valueOf(await store.own(taskId(id), 9));
      expect(owned.epoch).toBe(epoch + 1);
      const step = valueOf(await store.step(owned.id, fileStepKey('c.txt')));
      const saved = valueOf(
        await store.commit(sampleCommit(owned, { steps: step ? [{ ...step, status: 'done' }] : [] })),
      );
      expect(saved.seq).toBe(seq + 1);
      valueOf(await store.removeTask(owned.id));
    }
    expect(valueOf(await store.tasks())).toEqual([]);
    expect(valueOf(await store.result(resultKey('result-a')))).toBeNull();
  });

  it('keeps its endpoints and settings', async () => {
    const profiles = new IdbProfileStore(scratchConnection(await databaseOfVersion1()));
    expect(valueOf(await profiles.endpoint(endpointId('endpoint-1')))).toEqual(written.endpoints[0]);
    expect(valueOf(await profiles.settings())).toEqual({ retentionDays: 90 });
  });
});
