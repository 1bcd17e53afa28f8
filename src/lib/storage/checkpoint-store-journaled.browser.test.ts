import { wrap, type Remote } from 'comlink';
import { afterEach, describe, expect, it } from 'vitest';
import { journaledWorker } from '../../../tests/support/journaled-worker';
import { fileStepKey } from '../core/ids';
import { sampleFolder, sampleStep, sampleTask } from '../testing/sample-rows';
import { begin, checkpointStoreConformance, commitTo, valueOf, type TidyStore } from './checkpoint-store.conformance';
import { closeScratch, deleteDatabase, scratchDatabase, scratchName } from './scratch-database';

const ID = sampleTask().id;
const workers = new Set<Worker>();
const names = new Set<string>();

/** The app's own store, in a worker of its own: real database, real journal files. */
function storeOn(name: string): TidyStore {
  const worker = journaledWorker(name);
  workers.add(worker);
  names.add(name);
  const remote: Remote<TidyStore> = wrap<TidyStore>(worker);
  return remote;
}

function killWorkers(): void {
  for (const worker of workers) worker.terminate();
  workers.clear();
}

/** Files that a worker has open stay locked for a moment after it was killed: closed first, a test may touch them. */
async function letGo(store: TidyStore): Promise<void> {
  await store.release(ID);
  killWorkers();
}

async function lastJournalFile(name: string): Promise<FileSystemFileHandle> {
  const root = await navigator.storage.getDirectory();
  const journals = await (await root.getDirectoryHandle(name)).getDirectoryHandle('journal');
  const folder = await journals.getDirectoryHandle(ID);
  const files: string[] = [];
  for await (const file of folder.keys()) files.push(file);
  return folder.getFileHandle(files.sort().at(-1) ?? '');
}

afterEach(async () => {
  killWorkers();
  await closeScratch();
  const root = await navigator.storage.getDirectory();
  for (const name of names) await root.removeEntry(name, { recursive: true }).catch(() => undefined);
  names.clear();
});

describe('checkpoints in IndexedDB behind a journal, in a worker', () => {
  checkpointStoreConformance(async () => storeOn(scratchName()));
});

describe('the journal outlives the database', () => {
  it('what was acknowledged is back after the database was deleted', async () => {
    const name = scratchName();
    const store = storeOn(name);
    let task = await begin(store);
    for (let n = 0; n < 20; n += 1) task = await commitTo(store, task, { steps: [sampleStep(`${String(n)}.txt`)] });
    killWorkers();
    await deleteDatabase(name);
    const again = storeOn(name);
    expect(valueOf(await again.task(ID))).toMatchObject({ seq: task.seq, epoch: task.epoch });
    expect(valueOf(await again.stepsOfType(ID, 'file', null, 100))).toHaveLength(20);
    expect(valueOf(await again.folder(task.folderId))).toEqual(sampleFolder());
  });

  it('a worker that is ended in mid work leaves nothing behind that the next one cannot use', async () => {
    const name = scratchName();
    const store = storeOn(name);
    const task = await begin(store);
    const next = await commitTo(store, task, { steps: [sampleStep('a.txt')] });
    void commitTo(store, next, { steps: [sampleStep('b.txt')] }).catch(() => undefined);
    killWorkers();
    const again = storeOn(name);
    const owned = valueOf(await again.own(ID, 5));
    const steps = valueOf(await again.stepsOfType(ID, 'file', null, 9));
    expect(steps.length).toBe(owned.seq - next.seq + 1);
    await commitTo(again, owned, { steps: [sampleStep('c.txt')] });
  });

  it('a task whose journal is gone gets a whole one from its next owner', async () => {
    const name = scratchName();
    const first = storeOn(name);
    const before = await commitTo(first, await begin(first), { steps: [sampleStep('a.txt')] });
    await letGo(first);
    const journals = await (await navigator.storage.getDirectory()).getDirectoryHandle(name);
    await journals.removeEntry('journal', { recursive: true });
    const second = storeOn(name);
    expect(valueOf(await second.own(ID, 5)).epoch).toBe(before.epoch + 1);
    killWorkers();
    await deleteDatabase(name);
    const third = storeOn(name);
    expect(valueOf(await third.step(ID, fileStepKey('a.txt')))).not.toBeNull();
  });

  it('a torn end is dropped', async () => {
    const name = scratchName();
    const store = storeOn(name);
    const task = await commitTo(store, await begin(store), { steps: [sampleStep('a.txt')] });
    await letGo(store);
    await deleteDatabase(name);
    const file = await lastJournalFile(name);
    const whole = new Uint8Array(await (await file.getFile()).arrayBuffer());
    const writable = await file.createWritable();
    await writable.write(whole);
    await writable.write('{"what":"commit","commit":{"taskId":"tas');
    await writable.close();
    const again = storeOn(name);
    expect(valueOf(await again.own(ID, 9))).toMatchObject({ seq: task.seq, epoch: task.epoch + 1 });
    expect(valueOf(await again.step(ID, fileStepKey('a.txt')))).not.toBeNull();
  });

  it('shrinks when its task ends, and says the same', async () => {
    const name = scratchName();
    const store = storeOn(name);
    let task = await begin(store);
    for (let round = 0; round < 20; round += 1) {
      task = await commitTo(store, task, {
        steps: [sampleStep('a.txt', { seq: round, attempts: round })],
        activity: [{ what: 'planned', details: { round }, failure: null }],
      });
    }
    await commitTo(store, task, { task: { status: 'completed' } });
    const bytes = (await (await lastJournalFile(name)).getFile()).size;
    await store.release(ID);
    expect((await (await lastJournalFile(name)).getFile()).size).toBeLessThan(bytes / 2);
    killWorkers();
    await deleteDatabase(name);
    const again = storeOn(name);
    expect(valueOf(await again.step(ID, fileStepKey('a.txt')))?.attempts).toBe(19);
    expect(valueOf(await again.activity(ID, 100))).toHaveLength(20);
  });

  it('a damaged row is left for a person to look at, not rebuilt over', async () => {
    const name = scratchName();
    const store = storeOn(name);
    await begin(store);
    killWorkers();
    const database = scratchDatabase(name);
    await database.table('tasks').put({ ...sampleTask(), status: 'no such status' });
    const again = storeOn(name);
    expect(await again.task(ID)).toMatchObject({ ok: false, failure: { code: 'row_unreadable' } });
  });
});
