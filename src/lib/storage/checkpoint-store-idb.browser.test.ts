import { afterEach, describe, expect, it, vi } from 'vitest';
import { failure } from '../core/failure';
import { fileStepKey, resultKey, taskId } from '../core/ids';
import { fail } from '../core/result';
import { sampleCommit, sampleFolder, sampleResult, sampleStep, sampleTask } from '../testing/sample-rows';
import { begin, checkpointStoreConformance, codeOf, commitTo, valueOf } from './checkpoint-store.conformance';
import { IdbCheckpointStore } from './checkpoint-store-idb';
import { freeConformance } from './free.conformance';
import { pastConformance } from './past.conformance';
import { closeScratch, scratchConnection, scratchDatabase, scratchName } from './scratch-database';

afterEach(closeScratch);

type Write = (row: unknown) => IDBRequest;

const storeOn = (name = scratchName()) => new IdbCheckpointStore(scratchConnection(name));

describe('checkpoints in IndexedDB', () => {
  checkpointStoreConformance(async () => storeOn());
  pastConformance(async () => storeOn(), 15);
  freeConformance(async () => storeOn());

  it('writes all of a commit or nothing', async () => {
    const store = storeOn();
    const task = await begin(store);
    const before = await commitTo(store, task, { steps: [sampleStep('a.txt')] });
    const uncloneable = Object.assign(sampleStep('c.txt'), { reading: () => 'no row' });
    const commit = sampleCommit(before, {
      task: { status: 'running' },
      steps: [sampleStep('b.txt'), uncloneable],
      removedSteps: [fileStepKey('a.txt')],
      results: [sampleResult('r')],
      activity: [{ what: 'started', details: {}, failure: null }],
    });
    await expect(store.commit(commit)).rejects.toThrow('clone');
    expect(valueOf(await store.task(task.id))).toEqual(before);
    expect(valueOf(await store.stepsSince(task.id, 0, 9)).map((step) => step.key)).toEqual(['file/a.txt']);
    expect(valueOf(await store.result(resultKey('r')))).toBeNull();
    expect(valueOf(await store.activity(task.id, 9))).toEqual([]);
  });

  it('waits for the disk where a commit says so, and on taking over', async () => {
    const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction');
    const store = storeOn();
    const durability = async (work: () => Promise<unknown>) => {
      transaction.mockClear();
      await work();
      return transaction.mock.results.flatMap(({ value }) =>
        value instanceof IDBTransaction && value.mode === 'readwrite' ? [value.durability] : [],
      );
    };
    const task = sampleTask();
    expect(await durability(() => store.createTask(task, sampleFolder()))).toEqual(['strict']);
    expect(await durability(() => store.own(task.id, 1))).toEqual(['strict']);
    const owned = { ...task, epoch: 1 };
    expect(await durability(() => commitTo(store, owned, { durability: 'strict' }))).toEqual(['strict']);
    expect(await durability(() => commitTo(store, owned, { steps: [sampleStep()] }))).toEqual(['relaxed']);
    transaction.mockRestore();
  });

  it('IDB-04: commits between and beside other waiting never lose their transaction', async () => {
    const store = storeOn();
    const task = await begin(store);
    const codes = await Promise.all(
      Array.from({ length: 50 }, async (_, n) => {
        const bytes = new TextEncoder().encode(`file ${n}`);
        await crypto.subtle.digest('SHA-256', bytes);
        const committed = store.commit(
          sampleCommit(task, {
            steps: [sampleStep(`${n}.txt`, { status: 'done', resultKey: resultKey(`${n}`) })],
            results: [sampleResult(`${n}`)],
          }),
        );
        await crypto.subtle.digest('SHA-256', bytes);
        return codeOf(await committed);
      }),
    );
    expect(new Set(codes)).toEqual(new Set(['ok']));
    const steps = valueOf(await store.stepsByStatus(task.id, 'done', 99));
    const results = valueOf(await store.results(steps.flatMap((step) => step.resultKey ?? [])));
    expect(results.filter((row) => row !== null)).toHaveLength(50);
    expect(valueOf(await store.task(task.id))?.seq).toBe(50);
  });

  it(
    'IDB-11, seed defect 23: with 1,900 files saved, saving one more writes no more than with 100',
    { timeout: 60_000 },
    async () => {
      const store = storeOn();
      const task = await begin(store);
      let bytes = 0;
      const { prototype } = IDBObjectStore;
      const real = { put: Reflect.get(prototype, 'put') as Write, add: Reflect.get(prototype, 'add') as Write };
      for (const method of ['put', 'add'] as const) {
        Reflect.set(prototype, method, function (this: IDBObjectStore, ...given: [unknown]) {
          bytes += JSON.stringify(given[0]).length;
          return Reflect.apply(real[method], this, given);
        });
      }
      const writtenAt = new Map<number, number>();
      for (let n = 1; n <= 2_000; n += 1) {
        bytes = 0;
        const name = String(n).padStart(4, '0');
        await commitTo(store, task, {
          steps: [sampleStep(`${name}.txt`, { status: 'done', resultKey: resultKey(name) })],
          results: [sampleResult(name, { output: 'One summary of a file. '.repeat(40) })],
        });
        writtenAt.set(n, bytes);
      }
      Object.assign(prototype, real);
      expect(writtenAt.get(100)).toBeGreaterThan(1_000);
      expect(writtenAt.get(1_900)).toBeLessThan((writtenAt.get(100) ?? 0) * 2);
    },
  );

  it('RES-09: of two tabs the one that took over last writes, the other is refused', async () => {
    const name = scratchName();
    const [one, two] = [storeOn(name), storeOn(name)];
    const first = await begin(one);
    await commitTo(one, first, { steps: [sampleStep('a.txt', { status: 'running' })] });
    const second = valueOf(await two.own(first.id, 9));
    const done = { steps: [sampleStep('a.txt', { status: 'done' })], durability: 'strict' as const };
    const [late, timely] = await Promise.all([
      one.commit(sampleCommit(first, { steps: [sampleStep('a.txt', { status: 'failed' })] })),
      two.commit(sampleCommit(second, done)),
    ]);
    expect([codeOf(late), codeOf(timely)]).toEqual(['fenced', 'ok']);
    expect(valueOf(await one.step(first.id, fileStepKey('a.txt')))?.status).toBe('done');
  });

  it('saves a commit on top of what was carried out from a journal since its owner began', async () => {
    const store = storeOn();
    const task = await begin(store);
    const ahead = sampleCommit(task, { steps: [sampleStep('a.txt')] });
    const redone = valueOf(await store.redo(task.id, [{ seq: task.seq + 1, commit: ahead }]));
    const saved = await store.commit(
      sampleCommit(redone, {
        steps: [sampleStep('b.txt', { status: 'done', resultKey: resultKey('b') })],
        results: [sampleResult('b')],
      }),
    );
    expect(valueOf(saved).seq).toBe(redone.seq + 1);
    expect(valueOf(await store.task(task.id))).toEqual(valueOf(saved));
    expect(valueOf(await store.step(task.id, fileStepKey('b.txt')))?.status).toBe('done');
    expect(valueOf(await store.result(resultKey('b')))).not.toBeNull();
  });

  it('leaves nothing of a commit that finds the task otherwise than its owner left it', async () => {
    const name = scratchName();
    const [one, two] = [storeOn(name), storeOn(name)];
    const first = await begin(one);
    await commitTo(one, first, { steps: [sampleStep('a.txt')] });
    valueOf(await two.own(first.id, 9));
    const late = await one.commit(
      sampleCommit(first, {
        steps: [sampleStep('b.txt')],
        removedSteps: [fileStepKey('a.txt')],
        results: [sampleResult('late')],
        activity: [{ what: 'started', details: {}, failure: null }],
      }),
    );
    expect(codeOf(late)).toBe('fenced');
    expect(valueOf(await one.stepsSince(first.id, 0, 9)).map((step) => step.key)).toEqual(['file/a.txt']);
    expect(valueOf(await one.result(resultKey('late')))).toBeNull();
    expect(valueOf(await one.activity(first.id, 9))).toEqual([]);
    expect(valueOf(await one.task(first.id))).toMatchObject({ epoch: 2, seq: 1 });
  });

  it('keeps the answer that another tab has saved meanwhile, and the step of the one who comes later', async () => {
    const name = scratchName();
    const [one, two] = [storeOn(name), storeOn(name)];
    const first = await begin(one);
    const second = await begin(two, sampleTask({ id: taskId('second') }));
    const answer = (output: string) => ({ results: [sampleResult('same', { output })] });
    await commitTo(one, first, answer('The first words.'));
    await commitTo(two, second, { steps: [sampleStep('a.txt', { taskId: second.id })], ...answer('Others.') });
    expect(valueOf(await two.result(resultKey('same')))?.output).toBe('The first words.');
    expect(valueOf(await two.step(second.id, fileStepKey('a.txt')))?.seq).toBe(1);
    expect((await commitTo(two, second, answer('Others again.'))).seq).toBe(2);
  });

  it('saves a reused answer in one transaction', async () => {
    const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction');
    const store = storeOn();
    const task = await begin(store);
    await commitTo(store, task, { results: [sampleResult('r')] });
    const step = sampleStep('b.txt', {
      status: 'done',
      resultKey: resultKey('r'),
      flags: { ...sampleStep().flags, reused: true },
    });
    transaction.mockClear();
    await commitTo(store, task, { steps: [step], results: [sampleResult('r')] });
    const begun = transaction.mock.calls.length;
    transaction.mockRestore();
    expect(begun).toBe(1);
    expect(valueOf(await store.step(task.id, step.key))?.status).toBe('done');
  });

  it('hands all rows over before it knows that nobody disturbed their owner', async () => {
    const store = storeOn();
    const task = await begin(store);
    const said: string[] = [];
    const { prototype } = IDBObjectStore;
    const real = Object.fromEntries(['get', 'put', 'add'].map((name) => [name, Reflect.get(prototype, name) as Write]));
    for (const [name, method] of Object.entries(real)) {
      Reflect.set(prototype, name, function (this: IDBObjectStore, ...given: [unknown]) {
        const request = Reflect.apply(method, this, given);
        if (name === 'get') request.addEventListener('success', () => said.push('found'));
        else said.push(this.name);
        return request;
      });
    }
    await commitTo(store, task, { steps: [sampleStep()], results: [sampleResult('r')] });
    Object.assign(prototype, real);
    expect(said).toEqual(['results', 'steps', 'checkpoints', 'tasks', 'found']);
  });

  it('gives every owner an epoch of its own when tabs take over at once', async () => {
    const name = scratchName();
    const stores = [storeOn(name), storeOn(name), storeOn(name)];
    const task = sampleTask();
    valueOf(await storeOn(name).createTask(task, sampleFolder()));
    const owned = await Promise.all(stores.map(async (store) => valueOf(await store.own(task.id, 1)).epoch));
    expect(owned.sort()).toEqual([1, 2, 3]);
  });

  it('finds everything again after a close', async () => {
    const name = scratchName();
    const connection = scratchConnection(name);
    const store = new IdbCheckpointStore(connection);
    const task = await commitTo(store, await begin(store), { steps: [sampleStep('访谈.txt')] });
    connection.close();
    expect(codeOf(await store.task(task.id))).toBe('storage_closed');
    const again = storeOn(name);
    expect(valueOf(await again.task(task.id))).toEqual(task);
    expect(valueOf(await again.step(task.id, fileStepKey('访谈.txt')))?.seq).toBe(1);
  });

  it('keeps the handle of a folder', async () => {
    const store = storeOn();
    const root = await navigator.storage.getDirectory();
    const handle = await root.getDirectoryHandle('kept', { create: true });
    const folder = sampleFolder({ kind: 'handle', handle });
    valueOf(await store.createTask(sampleTask(), folder));
    const read = valueOf(await store.folder(folder.id));
    expect(await read?.handle?.isSameEntry(handle)).toBe(true);
  });

  it('RES-04: damaged tasks are set aside and can be removed; the others go on', async () => {
    const name = scratchName();
    const store = storeOn(name);
    const task = await begin(store);
    await scratchDatabase(name)
      .table('tasks')
      .bulkPut([
        { id: 'broken', schema: 1, runId: 7, status: 'RUNNING!', items: { '0': null }, name: 'Old run' },
        { id: 'newer', v: 2, name: 'From tomorrow' },
      ]);
    expect(valueOf(await store.tasks())).toEqual([task]);
    const aside = valueOf(await store.quarantined());
    expect(aside.map((one) => [one.id, one.name, one.failure.code])).toEqual([
      ['broken', 'Old run', 'row_unreadable'],
      ['newer', 'From tomorrow', 'row_from_newer_version'],
    ]);
    expect(codeOf(await store.task(taskId('broken')))).toBe('row_unreadable');
    expect(codeOf(await store.own(taskId('newer'), 1))).toBe('row_from_newer_version');
    expect(codeOf(await store.commit(sampleCommit(sampleTask({ id: taskId('broken') }))))).toBe('row_unreadable');
    expect((await commitTo(store, task, {})).seq).toBe(1);
    valueOf(await store.removeTask(taskId('broken')));
    expect(valueOf(await store.quarantined()).map((one) => one.id)).toEqual(['newer']);
  });

  it('names a step that is damaged instead of leaving its file out', async () => {
    const name = scratchName();
    const store = storeOn(name);
    const task = await begin(store);
    await commitTo(store, task, { steps: [sampleStep('a.txt')] });
    await scratchDatabase(name)
      .table('steps')
      .put({ taskId: task.id, key: 'file/b.txt', v: 1, status: 'pending', seq: 1 });
    const read = await store.stepsByStatus(task.id, 'pending', 9);
    expect(read.ok ? null : read.failure).toMatchObject({ code: 'row_unreadable', details: { id: 'file/b.txt' } });
    expect(codeOf(await store.step(task.id, fileStepKey('a.txt')))).toBe('ok');
  });

  it('takes a new answer for one that cannot be read any more', async () => {
    const name = scratchName();
    const store = storeOn(name);
    const task = await commitTo(store, await begin(store), { results: [sampleResult('kept')] });
    await scratchDatabase(name).table('results').put({ key: 'bad', v: 1, output: 7 });
    expect(codeOf(await store.result(resultKey('bad')))).toBe('row_unreadable');
    await commitTo(store, task, { results: [sampleResult('bad'), sampleResult('kept', { output: 'another' })] });
    expect(valueOf(await store.results(['bad', 'kept'].map(resultKey)))).toEqual([
      sampleResult('bad'),
      sampleResult('kept'),
    ]);
  });

  it('finishes a removal that was cut off, and still tells the folder', async () => {
    const name = scratchName();
    const connection = scratchConnection(name);
    const store = new IdbCheckpointStore(connection);
    const task = await begin(store);
    const paths = Array.from({ length: 450 }, (_, n) => `${n}.txt`);
    await commitTo(store, task, {
      steps: paths.map((path) => sampleStep(path, { resultKey: resultKey(path) })),
      results: paths.map((path) => sampleResult(path)),
      activity: [{ what: 'completed', details: {}, failure: null }],
    });
    const run = connection.run.bind(connection);
    const steps = scratchDatabase(name).table('steps');
    const cut = vi
      .spyOn(connection, 'run')
      .mockImplementation(async (durability, work) =>
        (await steps.count()) < paths.length ? fail(failure('storage_full')) : run(durability, work),
      );
    expect(codeOf(await store.removeTask(task.id))).toBe('storage_full');
    cut.mockRestore();
    expect(valueOf(await store.tasks())).toEqual([]);
    expect(valueOf(await store.stepsOfType(task.id, 'file', null, 999))).toHaveLength(250);
    const later = storeOn(name);
    expect(valueOf(await later.tidy(0)).removedFolders).toEqual([sampleFolder()]);
    expect(valueOf(await later.stepsSince(task.id, -1, 999))).toEqual([]);
    expect(valueOf(await later.activity(task.id, 9))).toEqual([]);
    expect(valueOf(await later.results(paths.map(resultKey))).every((row) => row === null)).toBe(true);
    expect(valueOf(await later.tidy(0)).removedFolders).toEqual([]);
  });
});
