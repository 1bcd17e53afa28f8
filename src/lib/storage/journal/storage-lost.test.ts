import { describe, expect, it } from 'vitest';
import { mergeDrafts } from '../../core/commit';
import { failure } from '../../core/failure';
import { fail, type Result } from '../../core/result';
import type { TaskRow } from '../../core/task';
import { JournalDisk } from '../../testing/journal-disk';
import { sampleStep, sampleTask } from '../../testing/sample-rows';
import { MemoryCheckpointStore } from '../checkpoint-store-memory';
import { begin, codeOf, commitTo, valueOf } from '../checkpoint-store.conformance';

const ID = sampleTask().id;
const SAID = { task: { status: 'paused', reason: 'storage' } } as const;
const full = () => new DOMException('full', 'QuotaExceededError');
const gone = () => new DOMException('the handle was closed', 'InvalidStateError');

const step = (n: number) => ({ steps: [sampleStep(`${String(n)}.txt`)], requests: 1 });

async function stepsOf(store: Pick<MemoryCheckpointStore, 'stepsSince'>): Promise<number> {
  return valueOf(await store.stepsSince(ID, -1, 1_000)).length;
}

/** A worker's store whose database is deleted under it: the next call is told so once, as the connection does. */
async function loseUnder(disk: JournalDisk, inner: MemoryCheckpointStore, forget: () => void): Promise<void> {
  const lost = new MemoryCheckpointStore();
  disk.inner = lost;
  let isTold = false;
  const names = ['commit', 'task', 'tasks', 'restoreRows', 'restoreTask', 'beat', 'stepsSince', 'results'] as const;
  for (const name of names) {
    const real = (lost[name] as (...args: readonly unknown[]) => unknown).bind(lost);
    Reflect.set(inner, name, (...args: readonly unknown[]) => {
      if (isTold) return real(...args);
      isTold = true;
      forget();
      return Promise.resolve(fail(failure('storage_closed')));
    });
  }
}

describe('IDB-02: a database that the browser deletes in mid run', () => {
  it('is put back from the journal, the commit that found it gone is saved once, and the owner goes on', async () => {
    const disk = new JournalDisk();
    const store = disk.open();
    let task = await begin(store);
    for (let n = 0; n < 5; n += 1) task = await commitTo(store, task, step(n));
    await loseUnder(disk, disk.inner, () => store.inOrder.forget());
    task = await commitTo(store, task, step(5));
    expect(task).toMatchObject({ seq: 6, requests: 6, epoch: 1 });
    task = await commitTo(store, task, step(6));
    expect(task).toMatchObject({ seq: 7, requests: 7 });
    expect(await stepsOf(disk.inner)).toBe(7);
    expect(valueOf(await disk.inner.task(ID))?.rebuiltMs).toBe(disk.clock.now());
    disk.killAndWipe();
    expect(valueOf(await disk.open().task(ID))).toMatchObject({ seq: 7, requests: 7 });
  });

  it('is put back by a beat, when nothing is saved for a while', async () => {
    const disk = new JournalDisk();
    const store = disk.open();
    const task = await commitTo(store, await begin(store), step(1));
    await loseUnder(disk, disk.inner, () => store.inOrder.forget());
    expect(codeOf(await store.beat(ID, task.epoch))).toBe('ok');
    expect(valueOf(await disk.inner.task(ID))).toMatchObject({ seq: 1, requests: 1 });
  });

  it('with its journal too: the task is gone, and nothing of it is made again', async () => {
    const disk = new JournalDisk();
    const store = disk.open();
    const task = await commitTo(store, await begin(store), step(1));
    await loseUnder(disk, disk.inner, () => store.inOrder.forget());
    disk.files.files.clear();
    expect(codeOf(await store.commit({ ...emptyCommit(task), requests: 1 }))).toBe('task_missing');
    expect(codeOf(await store.beat(ID, task.epoch))).toBe('task_missing');
    expect(await stepsOf(disk.inner)).toBe(0);
    await store.release(ID);
    expect(valueOf(await disk.open().tasks())).toEqual([]);
  });

  it('comes back once also when another tab has put it back with the commit that was under way', async () => {
    const disk = new JournalDisk();
    const store = disk.open();
    const task = await commitTo(store, await begin(store), step(1));
    const inner = disk.inner;
    const lost = new MemoryCheckpointStore();
    const real = inner.commit.bind(inner);
    inner.commit = async (): Promise<Result<TaskRow>> => {
      inner.commit = real;
      disk.inner = lost;
      valueOf(await disk.open().tasks());
      for (const name of ['commit', 'task', 'tasks', 'folder'] as const) {
        Reflect.set(inner, name, (lost[name] as (...args: readonly unknown[]) => unknown).bind(lost));
      }
      store.inOrder.forget();
      return fail(failure('storage_closed'));
    };
    const saved = await commitTo(store, task, step(2));
    expect(saved).toMatchObject({ seq: 2, requests: 2 });
    expect(valueOf(await lost.task(ID))).toMatchObject({ seq: 2, requests: 2 });
  });
});

describe('a journal file that goes bad in mid run', () => {
  it('is replaced by another one, and nothing waits', async () => {
    const disk = new JournalDisk();
    const store = disk.open();
    let task = await commitTo(store, await begin(store), step(1));
    disk.files.breakWriters(gone());
    task = await commitTo(store, task, step(2));
    task = await commitTo(store, task, step(3));
    disk.killAndWipe();
    expect(valueOf(await disk.open().task(ID))).toMatchObject({ seq: task.seq, requests: 3 });
    expect(await stepsOf(disk.inner)).toBe(3);
  });

  it('says why nothing moves while no other can be made either', async () => {
    const disk = new JournalDisk();
    const store = disk.open();
    let task = await commitTo(store, await begin(store), { ...step(1), task: { status: 'running' } });
    disk.files.trouble = gone();
    expect(codeOf(await store.commit({ ...emptyCommit(task), requests: 1 }))).toBe('storage_closed');
    task = await commitTo(store, task, SAID);
    expect(valueOf(await disk.inner.task(ID))).toMatchObject({ status: 'paused', reason: 'storage' });
    disk.files.trouble = null;
    task = await commitTo(store, task, step(2));
    disk.killAndWipe();
    expect(valueOf(await disk.open().task(ID))).toMatchObject({ seq: task.seq, requests: 2 });
  });

  it('that was deleted under its owner is noticed at the next beat, and made anew', async () => {
    const disk = new JournalDisk();
    const store = disk.open();
    let task = await commitTo(store, await begin(store), step(1));
    disk.files.files.clear();
    valueOf(await store.beat(ID, task.epoch));
    task = await commitTo(store, task, step(2));
    disk.killAndWipe();
    expect(valueOf(await disk.open().task(ID))).toMatchObject({ seq: task.seq, requests: 2 });
  });
});

describe('a disk with no room for the journal alone', () => {
  it('keeps a commit waiting, lets the word of it through, and costs no rewrite', async () => {
    const disk = new JournalDisk();
    const store = disk.open();
    let task = await commitTo(store, await begin(store), { ...step(1), task: { status: 'running' } });
    disk.files.trouble = full();
    expect(codeOf(await store.commit({ ...emptyCommit(task), requests: 1 }))).toBe('storage_full');
    task = await commitTo(store, task, SAID);
    disk.files.trouble = null;
    const files = await disk.files.list(ID);
    task = await commitTo(store, task, { ...step(2), task: { status: 'running', reason: null, failure: null } });
    expect(await disk.files.list(ID)).toEqual(files);
    disk.killAndWipe();
    expect(valueOf(await disk.open().task(ID))).toMatchObject({ seq: task.seq, requests: 2, status: 'running' });
    expect(await stepsOf(disk.inner)).toBe(2);
  });

  it('tells the person why a task that is being taken over waits', async () => {
    const disk = new JournalDisk();
    const store = disk.open();
    const task = await commitTo(store, await begin(store), { ...step(1), task: { status: 'running' } });
    await store.release(ID);
    const next = disk.open();
    disk.files.trouble = full();
    expect(codeOf(await next.own(ID, 5))).toBe('storage_full');
    expect(valueOf(await disk.inner.task(ID))).toMatchObject({
      status: 'paused',
      reason: 'storage',
      failure: { code: 'storage_full' },
    });
    disk.files.trouble = null;
    const owned = valueOf(await next.own(ID, 6));
    await commitTo(next, owned, step(2));
    disk.killAndWipe();
    expect(valueOf(await disk.open().task(ID))).toMatchObject({ requests: 2 });
    expect(task.seq).toBe(1);
  });
});

function emptyCommit(task: TaskRow) {
  return { ...mergeDrafts([]), taskId: ID, epoch: task.epoch, atMs: 1 };
}
