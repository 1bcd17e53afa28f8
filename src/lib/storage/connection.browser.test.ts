import { cdp } from 'vitest/browser';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ok } from '../core/result';
import { sampleCommit, sampleFolder, sampleStep, sampleTask } from '../testing/sample-rows';
import { begin, codeOf, commitTo, valueOf } from './checkpoint-store.conformance';
import { SCHEMA_VERSION } from './database';
import { IdbCheckpointStore } from './checkpoint-store-idb';
import type { Connection } from './connection';
import { listTasks } from './reading';
import {
  closeScratch,
  deleteDatabase,
  rawOpen,
  scratchConnection,
  scratchDatabase,
  scratchName,
} from './scratch-database';
import { storageFailure } from './storage-failure';

/** As the library counts them. */
const NEWER = (SCHEMA_VERSION + 1) * 10;

afterEach(closeScratch);

/** The browser's own connections under ours, closed as when it runs out of file handles. */
async function closeUnder(connection: Connection): Promise<void> {
  for (const durability of ['relaxed', 'strict'] as const) {
    valueOf(
      await connection.run(durability, async (database) => {
        database.backendDB().close();
        return ok();
      }),
    );
  }
}

describe('a connection that is lost', () => {
  it('after it saved a commit and before it said so, saves it once', async () => {
    const connection = scratchConnection();
    const store = new IdbCheckpointStore(connection);
    const task = await begin(store);
    const run = connection.run.bind(connection);
    vi.spyOn(connection, 'run').mockImplementation(async (durability, work) => {
      valueOf(await run(durability, work));
      return run(durability, work);
    });
    const saved = await commitTo(store, task, {
      requests: 1,
      activity: [{ what: 'started', details: {}, failure: null }],
    });
    expect(saved).toMatchObject({ seq: task.seq + 1, requests: 1 });
    expect(valueOf(await store.activity(task.id, 9))).toHaveLength(1);
  });

  it('after it saved a new task and before it said so, makes it once and says so', async () => {
    const connection = scratchConnection();
    const store = new IdbCheckpointStore(connection);
    const run = connection.run.bind(connection);
    const unanswered = vi.spyOn(connection, 'run').mockImplementation(async (durability, work) => {
      valueOf(await run(durability, work));
      return run(durability, work);
    });
    expect(codeOf(await store.createTask(sampleTask(), sampleFolder()))).toBe('ok');
    unanswered.mockRestore();
    expect(valueOf(await store.tasks())).toEqual([sampleTask()]);
  });

  it('IDB-02: is opened again and nothing is lost or written twice', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    onTestFinished(() => void vi.restoreAllMocks());
    const connection = scratchConnection();
    const store = new IdbCheckpointStore(connection);
    const task = await begin(store);
    for (let round = 1; round <= 5; round += 1) {
      await closeUnder(connection);
      const after = await commitTo(store, task, {
        steps: [sampleStep(`${round}.txt`)],
        requests: 1,
        durability: round % 2 === 0 ? 'strict' : 'relaxed',
      });
      expect(after).toMatchObject({ seq: round, requests: round });
    }
    expect(valueOf(await store.stepsByStatus(task.id, 'pending', 9))).toHaveLength(5);
  });

  it('lets another tab delete the database at once, and starts afresh', async () => {
    const name = scratchName();
    const store = new IdbCheckpointStore(scratchConnection(name));
    const task = await begin(store);
    expect(await deleteDatabase(name)).toBe(false);
    expect(codeOf(await store.commit(sampleCommit(task)))).toBe('task_missing');
    expect(valueOf(await store.tasks())).toEqual([]);
    expect(codeOf(await store.createTask(task, sampleFolder()))).toBe('ok');
  });

  it('IDB-02: storage cleared in mid run ends the run with a reason, and a new one can start', async () => {
    const name = scratchName();
    const store = new IdbCheckpointStore(scratchConnection(name));
    const task = await commitTo(store, await begin(store), { steps: [sampleStep('a.txt')] });
    await cdp().send('Storage.clearDataForOrigin', { origin: location.origin, storageTypes: 'indexeddb' });
    const codes = [codeOf(await store.commit(sampleCommit(task))), codeOf(await store.commit(sampleCommit(task)))];
    expect(codes).toEqual(['task_missing', 'task_missing']);
    const again = await begin(store);
    expect((await commitTo(store, again, { steps: [sampleStep('b.txt')] })).seq).toBe(1);
  });
});

describe('a database that does not open', () => {
  it('says so while an old tab is in the way, and opens when it is gone', async () => {
    const name = scratchName();
    const inTheWay = await rawOpen(name, 5);
    const store = new IdbCheckpointStore(scratchConnection(name));
    expect(codeOf(await store.tasks())).toBe('storage_blocked');
    expect(codeOf(await store.createTask(sampleTask(), sampleFolder()))).toBe('storage_blocked');
    expect(codeOf(await store.tasks())).toBe('storage_blocked');
    inTheWay.close();
    await expect.poll(async () => codeOf(await store.tasks())).toBe('ok');
    await expect.poll(async () => codeOf(await store.createTask(sampleTask(), sampleFolder()))).toBe('ok');
  });

  it('says so too when another tab is kept waiting before it', async () => {
    const name = scratchName();
    const inTheWay = await rawOpen(name, 5);
    const first = new IdbCheckpointStore(scratchConnection(name));
    const second = new IdbCheckpointStore(scratchConnection(name, 50));
    expect(codeOf(await first.tasks())).toBe('storage_blocked');
    expect(codeOf(await second.tasks())).toBe('storage_blocked');
    inTheWay.close();
    await expect.poll(async () => codeOf(await second.tasks())).toBe('ok');
  });

  it('leaves a newer layout alone', async () => {
    const name = scratchName();
    (await rawOpen(name, NEWER, (database) => database.createObjectStore('tasks', { keyPath: 'id' }))).close();
    const store = new IdbCheckpointStore(scratchConnection(name));
    expect(codeOf(await store.tasks())).toBe('row_from_newer_version');
    expect(codeOf(await store.createTask(sampleTask(), sampleFolder()))).toBe('row_from_newer_version');
    const error: unknown = await listTasks(scratchDatabase(name)).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(storageFailure(error, 'use')?.code).toBe('row_from_newer_version');
    const untouched = await rawOpen(name, NEWER);
    expect([...untouched.objectStoreNames]).toEqual(['tasks']);
    untouched.close();
  });
});
