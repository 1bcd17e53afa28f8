import { liveQuery } from 'dexie';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { fileStepKey, folderId, resultKey } from '../core/ids';
import { sampleEndpoint, sampleFolder, sampleResult, sampleStep, sampleTask } from '../testing/sample-rows';
import { begin, commitTo, valueOf } from './checkpoint-store.conformance';
import { IdbCheckpointStore } from './checkpoint-store-idb';
import { IdbProfileStore } from './profile-store-idb';
import * as reading from './reading';
import { closeScratch, scratchConnection, scratchDatabase, scratchName } from './scratch-database';

afterEach(closeScratch);

/** The newest value of a live query. */
function watch<T>(query: () => Promise<T>): { latest: T | undefined; runs: number } {
  const seen: { latest: T | undefined; runs: number } = { latest: undefined, runs: 0 };
  const subscription = liveQuery(query).subscribe((value) => {
    seen.latest = value;
    seen.runs += 1;
  });
  onTestFinished(() => subscription.unsubscribe());
  return seen;
}

it('shows strict and relaxed commits of another connection as they come', async () => {
  const name = scratchName();
  const store = new IdbCheckpointStore(scratchConnection(name));
  const page = scratchDatabase(name);
  const task = await begin(store);
  const row = watch(() => reading.readTask(page, task.id));
  const changed = watch(() => reading.stepsSince(page, task.id, 0, 100));
  await expect.poll(() => row.latest).toMatchObject({ value: { seq: 0 } });
  await commitTo(store, task, { steps: [sampleStep('a.txt')] });
  await expect.poll(() => row.latest).toMatchObject({ value: { seq: 1 } });
  await expect.poll(() => changed.latest?.map((step) => step.key)).toEqual(['file/a.txt']);
  await commitTo(store, task, { task: { status: 'running' }, durability: 'strict' });
  await expect.poll(() => row.latest).toMatchObject({ value: { seq: 2, status: 'running' } });
});

it('reads rows as the stores wrote them', async () => {
  const name = scratchName();
  const connection = scratchConnection(name);
  const store = new IdbCheckpointStore(connection);
  const task = await commitTo(store, await begin(store), {
    steps: [sampleStep('a.txt'), sampleStep('b.txt', { status: 'done' })],
    results: [sampleResult('r')],
    activity: [{ what: 'started', details: {}, failure: null }],
  });
  const profiles = new IdbProfileStore(connection);
  valueOf(await profiles.putEndpoint(sampleEndpoint()));
  valueOf(await profiles.putSettings({ retentionDays: 7 }));
  const page = scratchDatabase(name);
  await page.table('tasks').put({ id: 'broken' });

  expect(await reading.listTasks(page)).toMatchObject({ readable: [task], quarantined: [{ id: 'broken' }] });
  expect((await reading.readStep(page, task.id, fileStepKey('a.txt')))?.seq).toBe(1);
  expect(await reading.readStep(page, task.id, fileStepKey('none'))).toBeNull();
  expect((await reading.stepsByStatus(page, task.id, 'done', 9)).map((step) => step.key)).toEqual(['file/b.txt']);
  expect(await reading.stepsOfType(page, task.id, 'file', fileStepKey('a.txt'), 9)).toHaveLength(1);
  expect(await reading.readResult(page, resultKey('r'))).toEqual(sampleResult('r'));
  expect((await reading.listActivity(page, task.id, 9)).map((line) => line.what)).toEqual(['started']);
  expect(await reading.listEndpoints(page)).toEqual([sampleEndpoint()]);
  expect(await reading.listFolders(page)).toEqual([sampleFolder()]);
  expect(await reading.readFolder(page, folderId('folder-1'))).toEqual({ ok: true, value: sampleFolder() });
  expect(await reading.readSettings(page)).toEqual({ retentionDays: 7 });
  expect(sampleTask().id).toBe(task.id);
});
