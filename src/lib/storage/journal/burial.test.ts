import { describe, expect, it } from 'vitest';
import { failure } from '../../core/failure';
import { taskId } from '../../core/ids';
import { fail } from '../../core/result';
import { JournalDisk } from '../../testing/journal-disk';
import { sampleCommit, sampleFolder, sampleResult, sampleStep, sampleTask } from '../../testing/sample-rows';
import { begin, codeOf, commitTo, valueOf } from '../checkpoint-store.conformance';

const ID = sampleTask().id;
const OTHER = taskId('task-other');

async function twoTasks(): Promise<JournalDisk> {
  const disk = new JournalDisk();
  const store = disk.open();
  await commitTo(store, await begin(store), { results: [sampleResult('unused')] });
  await store.release(ID);
  valueOf(await store.createTask(sampleTask({ id: OTHER }), sampleFolder()));
  return disk;
}

/** Everything is refused room that deletes; the returned function ends it. */
function fillUp({ inner }: JournalDisk): () => void {
  const remove = inner.removeTask.bind(inner);
  inner.removeTask = () => Promise.resolve(fail(failure('storage_full')));
  return () => (inner.removeTask = remove);
}

async function killInRemoval(disk: JournalDisk): Promise<void> {
  const { inner } = disk;
  const remove = inner.removeTask.bind(inner);
  await new Promise<void>((reached) => {
    inner.removeTask = () => {
      reached();
      return new Promise(() => undefined);
    };
    void disk.open().removeTask(ID);
  });
  inner.removeTask = remove;
  disk.files.crash();
}

describe('a deletion that is refused for want of room', () => {
  it('leaves the task, and is not done behind the back of the person at the next start', async () => {
    const disk = await twoTasks();
    const room = fillUp(disk);
    expect(codeOf(await disk.open().removeTask(ID))).toBe('storage_full');
    room();
    disk.files.crash();
    expect(valueOf(await disk.open().tasks())).toHaveLength(2);
    disk.killAndWipe();
    expect(valueOf(await disk.open().tasks())).toHaveLength(2);
  });

  it('keeps nobody from using the other tasks, nor from making room, also when a kill had cut it off', async () => {
    const disk = await twoTasks();
    await killInRemoval(disk);
    fillUp(disk);
    const next = disk.open();
    expect([
      codeOf(await next.tasks()),
      codeOf(await next.own(OTHER, 5)),
      codeOf(await next.own(ID, 5)),
      codeOf(await next.freeUnused(1, 5)),
    ]).toEqual(['ok', 'ok', 'ok', 'ok']);
    disk.killAndWipe();
    expect(valueOf(await disk.open().tasks())).toHaveLength(2);
  });

  it('is tried again when storage was out of reach altogether', async () => {
    const disk = await twoTasks();
    await killInRemoval(disk);
    const { inner } = disk;
    const remove = inner.removeTask.bind(inner);
    inner.removeTask = () => Promise.resolve(fail(failure('storage_closed')));
    const next = disk.open();
    expect(codeOf(await next.tasks())).toBe('storage_closed');
    inner.removeTask = remove;
    expect(valueOf(await next.tasks()).map(({ id }) => id)).toEqual([OTHER]);
  });

  it('is done where the journal alone cannot be deleted, and the task does not come back', async () => {
    const disk = await twoTasks();
    const removeAll = disk.files.removeAll.bind(disk.files);
    disk.files.removeAll = () => Promise.reject(new DOMException('busy', 'UnknownError'));
    const store = disk.open();
    expect(codeOf(await store.removeTask(ID))).toBe('ok');
    disk.files.removeAll = removeAll;
    disk.killAndWipe();
    expect(valueOf(await disk.open().tasks()).map(({ id }) => id)).toEqual([OTHER]);
    expect(await disk.files.tasks()).toEqual([OTHER]);
  });
});

describe('the note of a deletion', () => {
  it('does not delete what was taken up while a start had read it', async () => {
    const disk = new JournalDisk();
    const owner = disk.open();
    let task = await begin(owner);
    await owner.release(ID);
    // A tab froze after it had marked the journal, before it deleted anything.
    await disk.files.bury(ID, task.epoch);
    const burial = disk.files.burial.bind(disk.files);
    disk.files.burial = async (id) => {
      const found = await burial(id);
      if (found) task = await commitTo(owner, valueOf(await owner.own(ID, 5)), { steps: [sampleStep('a.txt')] });
      return found;
    };
    await disk.open().tasks();
    expect(codeOf(await owner.commit(sampleCommit(task)))).toBe('ok');
  });

  it('is void once somebody has owned the task since, also when the database is lost then', async () => {
    const disk = new JournalDisk();
    const owner = disk.open();
    const { epoch } = await begin(owner);
    await commitTo(owner, valueOf(await owner.own(ID, 5)), { steps: [sampleStep('a.txt')] });
    // Written late, by a tab that was frozen since it looked; it never lives to be told that it is fenced.
    await disk.files.bury(ID, epoch);
    disk.killAndWipe();
    expect(valueOf(await disk.open().task(ID))).toMatchObject({ seq: 1 });
    expect(await disk.files.burial(ID)).toBeNull();
  });

  it('of a task whose journal was only reserved a file since deletes it', async () => {
    const disk = new JournalDisk();
    const store = disk.open();
    const { epoch } = await begin(store);
    await store.release(ID);
    await disk.files.bury(ID, epoch);
    await disk.files.create(ID, '0000000002-0000000000.log');
    disk.killAndWipe();
    expect(valueOf(await disk.open().tasks())).toEqual([]);
  });

  it('that cannot be read keeps no other task from being used', async () => {
    const disk = await twoTasks();
    const burial = disk.files.burial.bind(disk.files);
    disk.files.burial = (id) => (id === ID ? Promise.reject(new DOMException('bad', 'NotReadableError')) : burial(id));
    expect(valueOf(await disk.open().tasks())).toHaveLength(2);
    disk.killAndWipe();
    const store = disk.open();
    expect(valueOf(await store.tasks()).map(({ id }) => id)).toEqual([OTHER]);
    expect(disk.left).toMatchObject([{ id: ID, failure: { code: 'storage_unavailable' } }]);
    disk.files.burial = burial;
    expect(valueOf(await store.tasks())).toHaveLength(2);
  });
});
