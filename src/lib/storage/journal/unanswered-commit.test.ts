import { describe, expect, it } from 'vitest';
import { failure } from '../../core/failure';
import { resultKey } from '../../core/ids';
import { fail } from '../../core/result';
import type { TaskRow } from '../../core/task';
import { JournalDisk } from '../../testing/journal-disk';
import { sampleCommit, sampleResult, sampleStep, sampleTask } from '../../testing/sample-rows';
import type { JournaledCheckpointStore } from '../checkpoint-store-journaled';
import { begin, codeOf, commitTo, valueOf } from '../checkpoint-store.conformance';

const ID = sampleTask().id;
const done = (path: string) => ({
  steps: [sampleStep(path, { status: 'done', resultKey: resultKey(path) })],
  results: [sampleResult(path)],
  requests: 1,
});
const SAID = { task: { status: 'paused', reason: 'storage' } } as const;

/** The next commit gets no answer, whether it `isSaved` or not. */
function silence({ inner }: JournalDisk, isSaved: boolean): void {
  const commit = inner.commit.bind(inner);
  inner.commit = async (draft) => {
    inner.commit = commit;
    if (isSaved) valueOf(await commit(draft));
    return fail(failure('storage_closed'));
  };
}

/** The browser is killed once the line of a commit is written. */
async function killInCommit(disk: JournalDisk, store: JournaledCheckpointStore, task: TaskRow): Promise<void> {
  const { inner } = disk;
  const commit = inner.commit.bind(inner);
  await new Promise<void>((reached) => {
    inner.commit = () => {
      reached();
      return new Promise<never>(() => undefined);
    };
    void store.commit(sampleCommit(task, done('b.txt')));
  });
  inner.commit = commit;
  disk.files.crash();
}

async function pathsOf(disk: JournalDisk): Promise<readonly (string | undefined)[]> {
  return valueOf(await disk.open().stepsByStatus(ID, 'done', 9)).map(({ file }) => file?.path);
}

describe('a commit that was saved without an answer', () => {
  it('is in the journal whenever its owner is killed after it', async () => {
    const disk = new JournalDisk();
    const store = disk.open();
    const task = await begin(store);
    silence(disk, true);
    expect(codeOf(await store.commit(sampleCommit(task, done('a.txt'))))).toBe('storage_closed');
    const saved = valueOf(await disk.inner.task(ID)) ?? task;
    expect(saved.seq).toBe(task.seq + 1);
    await killInCommit(disk, store, saved);
    await disk.open().own(ID, 5);
    disk.killAndWipe();
    expect(await pathsOf(disk)).toEqual(['a.txt', 'b.txt']);
  });

  it('is in it also when nothing comes after it', async () => {
    const disk = new JournalDisk();
    const store = disk.open();
    const task = await begin(store);
    silence(disk, true);
    await store.commit(sampleCommit(task, done('a.txt')));
    disk.killAndWipe();
    expect(await pathsOf(disk)).toEqual(['a.txt']);
  });

  it('costs no rewrite', async () => {
    const disk = new JournalDisk();
    const store = disk.open();
    const task = await begin(store);
    const files = await disk.files.list(ID);
    silence(disk, true);
    await store.commit(sampleCommit(task, done('a.txt')));
    await commitTo(store, task, done('b.txt'));
    expect(await disk.files.list(ID)).toEqual(files);
    disk.killAndWipe();
    expect(valueOf(await disk.open().task(ID))).toMatchObject({ seq: 2, requests: 2 });
  });

  it('and that the journal had no room for follows with the next', async () => {
    const disk = new JournalDisk();
    const store = disk.open();
    const task = await commitTo(store, await begin(store), { task: { status: 'running' } });
    disk.files.trouble = new DOMException('full', 'QuotaExceededError');
    silence(disk, true);
    expect(codeOf(await store.commit(sampleCommit(task, SAID)))).toBe('storage_closed');
    disk.files.trouble = null;
    await commitTo(store, task, done('b.txt'));
    disk.killAndWipe();
    expect(valueOf(await disk.open().task(ID))).toMatchObject({ ...SAID.task, seq: 3, requests: 1 });
  });
});

describe('a commit that was not saved, and storage did not say so', () => {
  it('is not in the journal once another is saved in its place', async () => {
    const disk = new JournalDisk();
    const store = disk.open();
    const task = await begin(store);
    silence(disk, false);
    expect(codeOf(await store.commit(sampleCommit(task, done('a.txt'))))).toBe('storage_closed');
    await commitTo(store, task, done('b.txt'));
    disk.killAndWipe();
    expect(await pathsOf(disk)).toEqual(['b.txt']);
    expect(valueOf(await disk.open().task(ID))).toMatchObject({ seq: 1, requests: 1 });
  });

  it('is carried out by the next owner, as one that a kill cut off, and once', async () => {
    const disk = new JournalDisk();
    const store = disk.open();
    const task = await begin(store);
    silence(disk, false);
    await store.commit(sampleCommit(task, done('a.txt')));
    expect(valueOf(await store.own(ID, 5))).toMatchObject({ seq: 1, requests: 1 });
    expect(valueOf(await store.own(ID, 6))).toMatchObject({ seq: 1, requests: 1 });
  });
});
