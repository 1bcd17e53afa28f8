import { describe, expect, it } from 'vitest';
import { failure } from '../../core/failure';
import { resultKey } from '../../core/ids';
import { fail } from '../../core/result';
import { JournalDisk } from '../../testing/journal-disk';
import { sampleCommit, sampleFolder, sampleResult, sampleStep, sampleTask } from '../../testing/sample-rows';
import { MemoryCheckpointStore } from '../checkpoint-store-memory';
import { begin, codeOf, commitTo, valueOf } from '../checkpoint-store.conformance';
import { encodeLine } from './lines';

const ID = sampleTask().id;
const full = () => new DOMException('full', 'QuotaExceededError');

const stepDone = (n: number) => ({
  steps: [sampleStep(`${String(n)}.txt`, { status: 'done', resultKey: resultKey(`r${String(n)}`) })],
  results: [sampleResult(`r${String(n)}`)],
  requests: 1,
});

async function stateOf(store: Pick<MemoryCheckpointStore, 'task' | 'stepsSince'>) {
  const { rebuiltMs: _, ...task } = valueOf(await store.task(ID)) ?? sampleTask();
  return { task, steps: valueOf(await store.stepsSince(ID, -1, 1_000)) };
}

describe('a store that is behind the base of its journal', () => {
  it('gets what it lost, as after a power cut that took its last transactions', async () => {
    const disk = new JournalDisk();
    const store = disk.open();
    let task = await begin(store);
    task = await commitTo(store, task, { ...stepDone(0), task: { status: 'running' } });
    const old = new MemoryCheckpointStore();
    valueOf(await old.createTask(valueOf(await disk.inner.task(ID)) ?? task, sampleFolder()));
    valueOf(
      await old.restoreRows(
        ID,
        { steps: valueOf(await disk.inner.stepsSince(ID, -1, 9)), results: [], activity: [] },
        99,
      ),
    );
    for (let n = 1; n < 30; n += 1)
      task = await commitTo(store, task, { ...stepDone(n % 3), steps: [sampleStep('a.txt', { seq: n })] });
    task = await commitTo(store, task, { task: { status: 'completed' } });
    await store.release(ID);
    expect(await disk.files.list(ID)).toHaveLength(1);
    const before = await stateOf(disk.inner);
    disk.files.crash();
    disk.inner = old;
    const owned = valueOf(await disk.open().own(ID, 5));
    expect(owned).toMatchObject({ seq: before.task.seq, requests: before.task.requests, epoch: task.epoch + 1 });
    expect((await stateOf(disk.inner)).steps).toEqual(before.steps);
  });
});

describe('a rebuild', () => {
  it('cut off at any moment shows nothing half made, and is done by the next start', async () => {
    const disk = new JournalDisk();
    const store = disk.open();
    let task = await begin(store);
    for (let n = 0; n < 200; n += 1) task = await commitTo(store, task, stepDone(n));
    await commitTo(store, task, { task: { status: 'cancelled' } });
    const before = await stateOf(disk.inner);
    for (let cut = 0; cut < 5; cut += 1) {
      disk.killAndWipe();
      const inner = disk.inner;
      const put = inner.restoreRows.bind(inner);
      let puts = 0;
      inner.restoreRows = (...rows) => {
        puts += 1;
        return puts > cut ? Promise.resolve(fail(failure('storage_closed'))) : put(...rows);
      };
      const isWhole = (await disk.open().tasks()).ok;
      inner.restoreRows = put;
      if (!isWhole) expect(valueOf(await inner.task(ID))).toBeNull();
      expect(await stateOf(disk.open())).toEqual(before);
    }
  });

  it('leaves alone what another tab has put back and gone on with meanwhile', async () => {
    const disk = new JournalDisk();
    const store = disk.open();
    const task = await commitTo(store, await begin(store), { steps: [sampleStep('0.txt')] });
    disk.killAndWipe();
    const [slow, quick] = [disk.inner, disk.open()];
    const folder = sampleFolder();
    const owned = valueOf(await quick.own(ID, 5));
    const done = await commitTo(quick, owned, stepDone(0));
    valueOf(await slow.restoreRows(ID, { steps: [sampleStep('0.txt')], results: [], activity: [] }, task.seq));
    valueOf(await slow.restoreTask(task, folder));
    expect(valueOf(await disk.inner.task(ID))).toEqual(done);
    expect(valueOf(await disk.inner.stepsByStatus(ID, 'done', 9))).toHaveLength(1);
  });

  it('that trips over one journal keeps no other task from being used', async () => {
    const disk = new JournalDisk();
    const store = disk.open();
    await begin(store);
    const other = sampleTask({ id: 'task-other' as typeof ID });
    valueOf(await store.createTask(other, sampleFolder()));
    disk.files.damage(ID, await disk.lastFile(ID), () => {
      const entry = { what: 'head', v: 1, isBase: true, folder: null } as never;
      return new Uint8Array([...encodeLine({ entry, seq: 0 }), ...encodeLine({ entry: { what: 'base_end' }, seq: 0 })]);
    });
    disk.files.files.get(ID)?.delete('0000000000-0000000000.log');
    disk.killAndWipe();
    expect(valueOf(await disk.open().tasks()).map(({ id }) => id)).toEqual([other.id]);
  });
});

describe('a journal that no task can be built from', () => {
  const OTHER = 'task-other' as typeof ID;

  async function wiped(): Promise<JournalDisk> {
    const disk = new JournalDisk();
    const store = disk.open();
    await commitTo(store, await begin(store), stepDone(0));
    valueOf(await store.createTask(sampleTask({ id: OTHER }), sampleFolder()));
    disk.killAndWipe();
    return disk;
  }

  it('for want of room is told, keeps no other task from being used, and is built when there is room', async () => {
    const disk = await wiped();
    const { inner } = disk;
    const put = inner.restoreRows.bind(inner);
    inner.restoreRows = (id, ...rest) =>
      id === ID ? Promise.resolve(fail(failure('storage_full'))) : put(id, ...rest);
    const store = disk.open();
    expect(valueOf(await store.tasks()).map(({ id }) => id)).toEqual([OTHER]);
    expect(disk.left).toMatchObject([{ id: ID, name: sampleTask().name, failure: { code: 'storage_full' } }]);
    expect(codeOf(await store.own(OTHER, 3))).toBe('ok');
    expect(await store.areFoldersKnown()).toBe(false);
    inner.restoreRows = put;
    expect(valueOf(await store.tasks())).toHaveLength(2);
    expect(disk.left).toEqual([]);
    expect(valueOf(await store.task(ID))).toMatchObject({ seq: 1 });
    expect(await store.areFoldersKnown()).toBe(true);
    disk.copies.isMissed = true;
    expect(await store.areFoldersKnown()).toBe(false);
  });

  it('as it is damaged is told with what it is called, and stays until the person deletes it', async () => {
    const disk = await wiped();
    disk.files.damage(ID, (await disk.files.list(ID))[0] ?? '', (bytes) => bytes.slice(0, bytes.indexOf(10) + 5));
    const store = disk.open();
    expect(valueOf(await store.tasks()).map(({ id }) => id)).toEqual([OTHER]);
    expect(disk.left).toMatchObject([{ id: ID, name: sampleTask().name, failure: { code: 'row_unreadable' } }]);
    expect(await disk.files.tasks()).toContain(ID);
    valueOf(await store.removeTask(ID));
    expect(disk.left).toEqual([]);
    expect(await disk.files.tasks()).toEqual([OTHER]);
  });

  it('as a newer version wrote it is told as such', async () => {
    const disk = await wiped();
    const head = { what: 'head', v: 2, isBase: true, task: sampleTask(), folder: null } as never;
    const end = { entry: { what: 'base_end' }, seq: 0 } as const;
    disk.files.damage(
      ID,
      (await disk.files.list(ID))[0] ?? '',
      () => new Uint8Array([...encodeLine({ entry: head, seq: 0 }), ...encodeLine(end)]),
    );
    valueOf(await disk.open().tasks());
    expect(disk.left).toMatchObject([{ id: ID, failure: { code: 'row_from_newer_version' } }]);
  });

  it('as not even its first line was written is tidied away: nobody ever had that task', async () => {
    const disk = await wiped();
    for (const name of await disk.files.list(ID)) disk.files.damage(ID, name, () => new Uint8Array(0));
    valueOf(await disk.open().tasks());
    expect(disk.left).toEqual([]);
    expect(await disk.files.tasks()).toEqual([OTHER]);
  });
});

describe('a line', () => {
  it('that could not be flushed is taken back: the same commit is tried again', async () => {
    const disk = new JournalDisk();
    const store = disk.open();
    const task = await begin(store);
    const commit = sampleCommit(task, { requests: 1, durability: 'strict' });
    disk.files.flushTrouble = full();
    expect(codeOf(await store.commit(commit))).toBe('storage_full');
    disk.files.flushTrouble = null;
    const said = await commitTo(store, task, { task: { status: 'paused', reason: 'storage' } });
    await commitTo(store, said, { requests: 1 });
    const before = await stateOf(disk.inner);
    disk.killAndWipe();
    expect(await stateOf(disk.open())).toEqual(before);
  });

  it('that the next owner has carried out stays when its writer is told that it was fenced', async () => {
    const disk = new JournalDisk();
    const [frozen, next] = [disk.open(), disk.open()];
    const task = await begin(frozen);
    const commit = disk.inner.commit.bind(disk.inner);
    let thaw = () => undefined as void;
    const thawed = new Promise<void>((resolve) => (thaw = resolve));
    disk.inner.commit = (held) => thawed.then(() => commit(held));
    const late = frozen.commit(sampleCommit(task, stepDone(0)));
    await new Promise((resolve) => setTimeout(resolve));
    disk.inner.commit = commit;
    const owned = valueOf(await next.own(ID, 7));
    expect(owned.seq).toBe(task.seq + 1);
    thaw();
    expect(codeOf(await late)).toBe('fenced');
    await commitTo(next, owned, stepDone(1));
    const before = await stateOf(disk.inner);
    disk.killAndWipe();
    expect(await stateOf(disk.open())).toEqual(before);
  });

  it('has its own number, also when commits are given at once', async () => {
    const disk = new JournalDisk();
    const store = disk.open();
    const task = await begin(store);
    await Promise.all([0, 1, 2].map((n) => commitTo(store, task, stepDone(n))));
    const before = await stateOf(disk.inner);
    disk.killAndWipe();
    expect(await stateOf(disk.open())).toEqual(before);
  });

  it('never has a wrong number: what was saved after all is made good by a rewrite', async () => {
    const disk = new JournalDisk();
    const store = disk.open();
    const task = await begin(store);
    const commit = disk.inner.commit.bind(disk.inner);
    disk.inner.commit = async (lost) => {
      valueOf(await commit(lost));
      return fail(failure('storage_closed'));
    };
    expect(codeOf(await store.commit(sampleCommit(task, stepDone(0))))).toBe('storage_closed');
    disk.inner.commit = commit;
    const next = await commitTo(store, task, stepDone(1));
    await commitTo(store, next, stepDone(2));
    const before = await stateOf(disk.inner);
    expect(before.task.seq).toBe(task.seq + 3);
    disk.killAndWipe();
    expect(await stateOf(disk.open())).toEqual(before);
  });
});

describe('files', () => {
  it('do not pile up while a full disk refuses the owner, nor over many owners', async () => {
    const disk = new JournalDisk();
    const store = disk.open();
    let task = await begin(store);
    await store.release(ID);
    const files = await disk.files.list(ID);
    disk.files.trouble = full();
    for (let tries = 0; tries < 5; tries += 1) expect(codeOf(await store.own(ID, 3))).toBe('storage_full');
    expect(await disk.files.list(ID)).toEqual(files);
    disk.files.trouble = null;
    for (let owners = 0; owners < 100; owners += 1) {
      task = valueOf(await store.own(ID, owners));
      task = await commitTo(store, task, stepDone(owners));
    }
    expect((await disk.files.list(ID)).length).toBeLessThan(40);
    const before = await stateOf(disk.inner);
    disk.killAndWipe();
    expect(await stateOf(disk.open())).toEqual(before);
  });

  it('go with their task, also when a full disk has no room for the note', async () => {
    const disk = new JournalDisk();
    const store = disk.open();
    await begin(store);
    disk.files.bury = () => Promise.reject(full());
    expect(valueOf(await store.removeTask(ID)).removedFolders).toEqual([sampleFolder()]);
    disk.killAndWipe();
    expect(valueOf(await disk.open().tasks())).toEqual([]);
  });
});
