import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CommitDraft } from '../core/commit';
import { failure } from '../core/failure';
import { fileStepKey, resultKey } from '../core/ids';
import { fail } from '../core/result';
import type { TaskRow } from '../core/task';
import { JournalDisk as Disk } from '../testing/journal-disk';
import { sampleCommit, sampleEffect, sampleFolder, sampleResult, sampleStep, sampleTask } from '../testing/sample-rows';
import type { JournaledCheckpointStore } from './checkpoint-store-journaled';
import { MemoryCheckpointStore } from './checkpoint-store-memory';
import { begin, checkpointStoreConformance, codeOf, commitTo, valueOf } from './checkpoint-store.conformance';
import { encodeLine } from './journal/lines';
import { freeConformance } from './free.conformance';
import { pastConformance } from './past.conformance';

const TASK = sampleTask();
const ID = TASK.id;

const path = (n: number) => `f${String(n).padStart(4, '0')}.txt`;

/** A step planned, or one finished with its answer. */
function draftOf(n: number, isDone: boolean): CommitDraft {
  const step = sampleStep(path(n));
  if (!isDone) return { steps: [step] };
  const key = resultKey(`answer-${String(n)}`);
  return {
    steps: [{ ...step, status: 'done', seq: 1, resultKey: key }],
    results: [sampleResult(key, { output: `Answer ${String(n)}. `.repeat(20) })],
    activity: [{ what: 'planned', details: { n }, failure: null }],
    effects: [sampleEffect(`write-${String(n)}`)],
    replaced: [step],
    requests: 1,
  };
}

async function stateOf(store: MemoryCheckpointStore | JournaledCheckpointStore) {
  const steps = valueOf(await store.stepsSince(ID, -1, 10_000));
  const { rebuiltMs: _, ...task } = valueOf(await store.task(ID)) ?? ({} as TaskRow);
  return {
    task,
    steps: [...steps].sort((a, b) => (a.key < b.key ? -1 : 1)),
    activity: valueOf(await store.activity(ID, 10_000)),
    effects: valueOf(await store.effectsInState(ID, 'intended', 10_000)),
    checkpoints: valueOf(await store.checkpoints(ID, null, 10_000)),
    results: valueOf(await store.results(steps.flatMap(({ resultKey: key }) => key ?? []))).flatMap((row) => row ?? []),
  };
}

describe('checkpoints behind a journal', () => {
  checkpointStoreConformance(async () => new Disk().open());
  pastConformance(async () => new Disk().open(), 30);
  freeConformance(async () => new Disk().open());
});

describe('after the browser has lost its database', () => {
  it('every acknowledged commit is back, and the task says that it was rebuilt', async () => {
    const disk = new Disk();
    const store = disk.open();
    let task = await begin(store);
    for (let n = 0; n < 10; n += 1) task = await commitTo(store, task, draftOf(n, n % 2 === 0));
    const before = await stateOf(disk.inner);
    disk.killAndWipe();
    const again = disk.open();
    expect(valueOf(await again.tasks()).map(({ id }) => id)).toEqual([ID]);
    expect(await stateOf(again)).toEqual(before);
    expect(valueOf(await again.task(ID))?.rebuiltMs).toBe(disk.clock.now());
    expect(valueOf(await again.folder(task.folderId))).toEqual(sampleFolder());
  });

  it('a task that nobody has run yet is back too', async () => {
    const disk = new Disk();
    valueOf(await disk.open().createTask(TASK, sampleFolder()));
    disk.killAndWipe();
    expect(valueOf(await disk.open().task(ID))).toMatchObject({ id: ID, status: 'pending', epoch: 0, seq: 0 });
  });

  it('a deleted task stays deleted, also when the crash came in the middle of deleting', async () => {
    const disk = new Disk();
    const store = disk.open();
    await begin(store);
    await store.release(ID);
    const inner = disk.inner;
    const cut = inner.removeTask.bind(inner);
    await new Promise<void>((reached) => {
      inner.removeTask = () => {
        reached();
        return new Promise(() => undefined);
      };
      void store.removeTask(ID);
    });
    inner.removeTask = cut;
    disk.files.crash();
    const again = disk.open();
    expect(valueOf(await again.task(ID))).toBeNull();
    expect(valueOf(await again.tidy(0)).removedFolders).toEqual([sampleFolder()]);
    expect(await disk.files.tasks()).toEqual([]);
    disk.killAndWipe();
    expect(valueOf(await disk.open().tasks())).toEqual([]);
  });

  it('LIF-04: a task taken up while a frozen tab was about to delete it lives on, whatever becomes of that tab', async () => {
    const disk = new Disk();
    const frozen = disk.open();
    const task = await begin(frozen);
    await frozen.release(ID);
    const owner = disk.open();
    valueOf(await owner.tasks());
    const inner = disk.inner;
    const remove = inner.removeTask.bind(inner);
    let thaw = () => undefined as void;
    const thawed = new Promise<void>((resolve) => (thaw = resolve));
    const isReached = new Promise<void>((resolve) => {
      inner.removeTask = async (...removal) => {
        resolve();
        await thawed;
        return remove(...removal);
      };
    });
    const removing = frozen.removeTask(ID, task.epoch);
    await isReached;
    const owned = valueOf(await owner.own(ID, 1));
    expect(await disk.files.burial(ID)).toBeNull();
    thaw();
    expect(codeOf(await removing)).toBe('fenced');
    await commitTo(owner, owned, draftOf(1, true));
    const before = await stateOf(owner);
    disk.killAndWipe();
    expect(await stateOf(disk.open())).toEqual(before);
  });

  it('tasks from before there was a journal are insured: finished ones at the start, others when they go on', async () => {
    const disk = new Disk();
    const finished = await begin(disk.inner, { status: 'completed' });
    await commitTo(disk.inner, finished, draftOf(0, true));
    await disk.open().tasks();
    const before = await stateOf(disk.inner);
    disk.killAndWipe();
    expect(await stateOf(disk.open())).toEqual(before);

    const other = new Disk();
    await commitTo(other.inner, await begin(other.inner), draftOf(0, true));
    const store = other.open();
    await commitTo(store, valueOf(await store.own(ID, 5)), draftOf(1, true));
    const running = await stateOf(other.inner);
    other.killAndWipe();
    expect(await stateOf(other.open())).toEqual(running);
  });

  it('says nothing of a task whose journal holds no whole base', async () => {
    const disk = new Disk();
    valueOf(await disk.open().createTask(TASK, sampleFolder()));
    const name = await disk.lastFile(ID);
    disk.files.damage(ID, name, (bytes) => bytes.slice(0, bytes.length - 5));
    disk.killAndWipe();
    expect(valueOf(await disk.open().tasks())).toEqual([]);
  });
});

describe('a crash between the journal and the store', () => {
  it('the commit is carried out by the next owner, once', async () => {
    const disk = new Disk();
    const store = disk.open();
    const task = await begin(store);
    const first = await commitTo(store, task, draftOf(0, true));
    const commit = sampleCommit(first, draftOf(1, true));
    disk.files.damage(ID, await disk.lastFile(ID), (bytes) => {
      const line = encodeLine({ entry: { what: 'commit', commit }, seq: first.seq + 1 });
      return new Uint8Array([...bytes, ...line]);
    });
    disk.files.crash();
    const again = disk.open();
    const owned = valueOf(await again.own(ID, 9));
    expect(owned).toMatchObject({ seq: first.seq + 1, requests: 2, epoch: first.epoch + 1 });
    await again.release(ID);
    expect(valueOf(await disk.open().own(ID, 10))).toMatchObject({ seq: first.seq + 1, requests: 2 });
    expect(valueOf(await again.result(resultKey('answer-1')))).not.toBeNull();
  });

  it('a commit that the store refused is not in the journal', async () => {
    const disk = new Disk();
    const store = disk.open();
    const task = await begin(store);
    const bytes = disk.files.bytesOf(ID, await disk.lastFile(ID));
    const commit = disk.inner.commit.bind(disk.inner);
    disk.inner.commit = () => Promise.resolve(fail(failure('storage_full')));
    expect(codeOf(await store.commit(sampleCommit(task, draftOf(0, true))))).toBe('storage_full');
    disk.inner.commit = () => Promise.reject(new Error('a defect'));
    await expect(store.commit(sampleCommit(task, draftOf(0, true)))).rejects.toThrow('a defect');
    disk.inner.commit = commit;
    expect(disk.files.bytesOf(ID, await disk.lastFile(ID))).toEqual(bytes);
    await commitTo(store, task, draftOf(1, true));
    const before = await stateOf(disk.inner);
    disk.killAndWipe();
    expect(await stateOf(disk.open())).toEqual(before);
  });

  it('a journal that cannot be written refuses the commit with what the database would say', async () => {
    const disk = new Disk();
    const store = disk.open();
    const task = await begin(store);
    disk.files.trouble = new DOMException('full', 'QuotaExceededError');
    expect(codeOf(await store.commit(sampleCommit(task, draftOf(0, true))))).toBe('storage_full');
    expect(valueOf(await disk.inner.step(ID, fileStepKey(path(0))))).toBeNull();
    disk.files.trouble = null;
    expect(codeOf(await store.commit(sampleCommit(task, draftOf(0, true))))).toBe('ok');
  });

  it('is on the disk before it counts, where the commit says so', async () => {
    const disk = new Disk();
    const store = disk.open();
    const task = await begin(store);
    const flushes = disk.files.flushes;
    const next = await commitTo(store, task, { durability: 'relaxed', requests: 1 });
    expect(disk.files.flushes).toBe(flushes);
    await commitTo(store, next, { durability: 'strict', requests: 1 });
    expect(disk.files.flushes).toBe(flushes + 1);
  });
});

describe('owners', () => {
  it('a fenced owner that comes back writes nothing that counts', async () => {
    const disk = new Disk();
    const [frozen, next] = [disk.open(), disk.open()];
    const before = await begin(frozen);
    const stale = await commitTo(frozen, before, draftOf(0, true));
    const owned = valueOf(await next.own(ID, 7));
    // Thawed in the middle of a commit: its line is written, the store's answer never comes.
    const commit = disk.inner.commit.bind(disk.inner);
    disk.inner.commit = () => new Promise(() => undefined);
    void frozen.commit(sampleCommit(stale, draftOf(1, true)));
    await new Promise((resolve) => setTimeout(resolve));
    disk.inner.commit = commit;
    await commitTo(next, owned, draftOf(2, true));
    const state = await stateOf(disk.inner);
    disk.killAndWipe();
    const again = disk.open();
    expect(await stateOf(again)).toEqual(state);
    expect(valueOf(await again.step(ID, fileStepKey(path(1))))).toBeNull();
  });

  it('its refused commits count for nothing', async () => {
    const disk = new Disk();
    const [old, next] = [disk.open(), disk.open()];
    const task = await begin(old);
    const owned = valueOf(await next.own(ID, 7));
    expect(codeOf(await old.commit(sampleCommit(task, draftOf(1, true))))).toBe('fenced');
    await commitTo(next, owned, draftOf(2, true));
    const before = await stateOf(disk.inner);
    disk.killAndWipe();
    expect(await stateOf(disk.open())).toEqual(before);
  });
});

describe('a journal that has grown', () => {
  it('is written anew when more than half of it is dead, and says the same', async () => {
    const disk = new Disk();
    const store = disk.open();
    let task = await begin(store);
    const filler = 'x'.repeat(2_000);
    for (let round = 0; round < 30; round += 1) {
      const steps = Array.from({ length: 30 }, (_, n) =>
        sampleStep(path(n), { excerpt: filler, seq: round, attempts: round }),
      );
      task = await commitTo(store, task, { steps });
    }
    const names = await disk.files.list(ID);
    expect(names).toHaveLength(1);
    expect(disk.files.bytesOf(ID, names[0] ?? '').length).toBeLessThan(1_500_000);
    const before = await stateOf(disk.inner);
    disk.killAndWipe();
    expect(await stateOf(disk.open())).toEqual(before);
  });

  it('a rewrite that was cut off counts for nothing', async () => {
    const disk = new Disk();
    const store = disk.open();
    let task = await begin(store);
    for (let n = 0; n < 5; n += 1) task = await commitTo(store, task, draftOf(n, true));
    await store.release(ID);
    const half = await disk.files.create(ID, '0000000001-0000000001.log');
    half.append(encodeLine({ entry: { what: 'head', v: 1, isBase: true, task, folder: null }, seq: 0 }));
    half.append(encodeLine({ entry: { what: 'rows', steps: [], results: [], activity: [] }, seq: 0 }));
    disk.files.crash();
    const before = await stateOf(disk.inner);
    const owned = valueOf(await disk.open().own(ID, 3));
    expect(owned.seq).toBe(task.seq);
    disk.killAndWipe();
    expect((await stateOf(disk.open())).steps).toEqual(before.steps);
  });

  it('shrinks when its task ends', async () => {
    const disk = new Disk();
    const store = disk.open();
    let task = await begin(store);
    for (let round = 0; round < 20; round += 1) {
      task = await commitTo(store, task, { steps: [sampleStep('a.txt', { seq: round, attempts: round })] });
    }
    await commitTo(store, task, { task: { status: 'completed' } });
    const size = disk.files.bytesOf(ID, await disk.lastFile(ID)).length;
    const before = await stateOf(disk.inner);
    await store.release(ID);
    const names = await disk.files.list(ID);
    expect(names).toHaveLength(1);
    expect(disk.files.bytesOf(ID, names[0] ?? '').length).toBeLessThan(size / 2);
    disk.killAndWipe();
    expect(await stateOf(disk.open())).toEqual(before);
  });
});

/** What may happen to a browser between two starts. */
const event = fc.oneof(
  { weight: 6, arbitrary: fc.record({ what: fc.constant('commit' as const), n: fc.nat(6), isDone: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('own' as const) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('end' as const) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('crash' as const), wiped: fc.boolean() }) },
  // Cut while a commit was being written: `kept` tells how much of its line, `reached` whether the store has it.
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('crash-in-commit' as const),
      n: fc.nat(6),
      kept: fc.double({ min: 0, max: 1, noNaN: true }),
      reached: fc.boolean(),
      wiped: fc.boolean(),
    }),
  },
);

it('whatever happens, what was acknowledged is there, and nothing that nobody asked for', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 40 }), async (events) => {
      const disk = new Disk();
      let store = disk.open();
      let task = await begin(store);
      let acknowledged = await stateOf(disk.inner);
      const allowed = [acknowledged];
      const restart = async (wiped: boolean) => {
        disk.files.crash();
        if (wiped) disk.killAndWipe();
        store = disk.open();
        task = valueOf(await store.own(ID, task.updatedMs));
        const { task: found, ...rows } = await stateOf(disk.inner);
        const { task: _, ...expected } = allowed.find((state) => state.task.seq === found.seq) ?? acknowledged;
        expect(found.seq).toBeGreaterThanOrEqual(acknowledged.task.seq);
        expect(rows).toEqual(expected);
        acknowledged = await stateOf(disk.inner);
        allowed.splice(0, Infinity, acknowledged);
      };
      for (const one of events) {
        if (one.what === 'commit') {
          task = await commitTo(store, task, draftOf(one.n, one.isDone));
          acknowledged = await stateOf(disk.inner);
          allowed.splice(0, Infinity, acknowledged);
        } else if (one.what === 'own') {
          task = valueOf(await store.own(ID, task.updatedMs));
          acknowledged = await stateOf(disk.inner);
        } else if (one.what === 'end')
          await store.release(ID).then(async () => (task = valueOf(await store.own(ID, 1))));
        else if (one.what === 'crash') await restart(one.wiped);
        else {
          const commit = sampleCommit(task, draftOf(one.n, true));
          const line = encodeLine({ entry: { what: 'commit', commit }, seq: task.seq + 1 });
          const kept = one.reached ? line : line.slice(0, Math.floor(one.kept * line.length));
          disk.files.damage(ID, await disk.lastFile(ID), (bytes) => new Uint8Array([...bytes, ...kept]));
          const ahead = new MemoryCheckpointStore();
          await ahead.restoreRows(ID, acknowledged, acknowledged.task.seq);
          await ahead.restoreTask(acknowledged.task, null);
          valueOf(await ahead.redo(ID, [{ seq: task.seq + 1, commit }]));
          allowed.push(await stateOf(ahead));
          if (one.reached) valueOf(await disk.inner.commit(commit));
          await restart(one.wiped);
        }
      }
      await restart(true);
    }),
    { numRuns: 150 },
  );
});
