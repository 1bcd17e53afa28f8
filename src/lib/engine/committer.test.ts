import { describe, expect, it } from 'vitest';
import { failure, type Failure } from '../core/failure';
import { NO_FAULTS } from '../core/fault-points';
import { NO_COUNTS } from '../core/counts';
import { mergeDrafts, type Commit } from '../core/commit';
import { resultKey, taskId } from '../core/ids';
import { fail, type Result } from '../core/result';
import type { TaskRow } from '../core/task';
import { EngineBench } from '../testing/engine-bench';
import { FakeClock, settle } from '../testing/fake-clock';
import { sampleFolder, sampleResult, sampleStep, sampleTask } from '../testing/sample-rows';
import { CommitRefused, Committer } from './committer';

async function committer(status: TaskRow['status'] = 'running') {
  const { store } = new EngineBench();
  const task = sampleTask({ status });
  await store.createTask(task, sampleFolder());
  const owned = await store.own(task.id, 0);
  if (!owned.ok) throw new Error(owned.failure.code);
  const clock = new FakeClock();
  const commits: Commit[] = [];
  const real = store.commit.bind(store);
  const refusal: { commit: ((commit: Commit) => Promise<Result<TaskRow>> | null) | null } = { commit: null };
  store.commit = (commit) => {
    commits.push(commit);
    return refusal.commit?.(commit) ?? real(commit);
  };
  const made = new Committer({ store, clock, faults: NO_FAULTS, task: owned.value, takeActiveMs: () => 0 });
  const row = async () => {
    const read = await store.task(task.id);
    if (!read.ok || !read.value) throw new Error('no task');
    return read.value;
  };
  return { committer: made, store, clock, commits, refusal, row, task };
}

const full = () => Promise.resolve(fail(failure('storage_full')));

describe('group commit', () => {
  it('writes what became ready together in one transaction, and each submitter gets the row', async () => {
    const { committer: made, commits } = await committer();
    const rows = await Promise.all([1, 2, 3].map((requests) => made.submit({ requests })));
    expect(commits.map(({ requests }) => requests)).toEqual([6]);
    expect(rows.map(({ requests }) => requests)).toEqual([6, 6, 6]);
  });

  it('saves drafts in the order they came', async () => {
    const { committer: made, store, task } = await committer();
    const first = made.submit({ steps: [sampleStep('a.txt', { status: 'running' })] });
    await settle();
    await Promise.all([first, made.submit({ steps: [sampleStep('a.txt', { status: 'done' })] })]);
    expect(await store.stepsByStatus(task.id, 'done', 9)).toMatchObject({ value: [{ status: 'done' }] });
  });
});

describe('storage that saved and could not say so', () => {
  const closed = () => Promise.resolve(fail<Failure>(failure('storage_closed')));

  it('is not given the same again', async () => {
    const { committer: made, store, clock, refusal, commits, row } = await committer();
    const real = store.commit.bind(store);
    refusal.commit = (commit) => {
      refusal.commit = null;
      commits.pop();
      return real(commit).then(closed);
    };
    expect(
      (await made.submit({ requests: 1, activity: [{ what: 'held', details: {}, failure: null }] })).requests,
    ).toBe(1);
    await made.submit({ requests: 1 });
    await clock.advance(10_000);
    expect(await row()).toMatchObject({ requests: 2, status: 'running', seq: 2 });
    expect(made.isTroubled).toBe(false);
  });

  it('is asked until it tells what became of it', async () => {
    const { committer: made, store, clock, refusal, row } = await committer();
    const real = store.commit.bind(store);
    const read = store.task.bind(store);
    let isAway = true;
    store.task = (id) => (isAway ? closed() : read(id));
    refusal.commit = (commit) => {
      refusal.commit = null;
      return real(commit).then(closed);
    };
    const saved = made.submit({ requests: 1 });
    await clock.advance(10_000);
    expect(made.isTroubled).toBe(true);
    isAway = false;
    await clock.advance(10_000);
    expect((await saved).requests).toBe(1);
    expect(await row()).toMatchObject({ requests: 1, seq: 1 });
  });
});

describe('storage that is full', () => {
  const made = async () => {
    const bench = await committer();
    const other = sampleTask({ id: taskId('other') });
    await bench.store.createTask(other, sampleFolder());
    const filling = { ...mergeDrafts([]), taskId: other.id, epoch: 0, atMs: 0 };
    const fill = (key: string) => bench.store.commit({ ...filling, results: [sampleResult(key)] });
    await fill('unused');
    bench.commits.length = 0;
    return { ...bench, fill };
  };

  it('is given room by answers that no task uses, at once and told, before any work waits', async () => {
    const { committer: one, store, clock, refusal, row, task, commits } = await made();
    refusal.commit = () => {
      refusal.commit = null;
      return full();
    };
    const saved = await one.submit({ requests: 1 });
    expect(clock.now()).toBe(new FakeClock().now());
    expect(saved).toMatchObject({ status: 'running', requests: 1 });
    expect(commits.some((commit) => commit.task.status === 'paused')).toBe(false);
    expect(await store.result(resultKey('unused'))).toMatchObject({ value: null });
    expect(await store.activity(task.id, 9)).toMatchObject({
      value: [{ what: 'room_made', details: { results: 1, megabytes: 1 } }],
    });
    expect((await row()).requests).toBe(1);
  });

  it('keeps the task waiting with its code when there is nothing to free, and frees one helping a round', async () => {
    const { committer: one, clock, refusal, row, store, fill } = await made();
    let freed = 0;
    const free = store.freeUnused.bind(store);
    store.freeUnused = (bytes, nowMs) => {
      freed += 1;
      return free(bytes, nowMs);
    };
    refusal.commit = (commit) => (commit.requests > 0 ? full() : null);
    const saved = one.submit({ requests: 1 });
    await settle();
    expect(await row()).toMatchObject({ status: 'paused', reason: 'storage', failure: { code: 'storage_full' } });
    expect(freed).toBe(1);
    await clock.advance(4_000);
    await fill('another');
    refusal.commit = null;
    await clock.advance(4_000);
    expect(await saved).toMatchObject({ status: 'running', requests: 1 });
  });
});

describe('storage that was cleared', () => {
  it('ends the work: nothing waits for a task that is gone', async () => {
    const { committer: made, store, clock, refusal, task } = await committer();
    // Its journal is closed for good too.
    refusal.commit = () => store.removeTask(task.id).then(() => fail(failure('storage_closed')));
    let refused: unknown = null;
    void made.submit({ requests: 1 }).catch((error: unknown) => (refused = error));
    await clock.advance(10_000);
    expect(refused).toMatchObject({ failure: { code: 'task_missing' } });
    expect(clock.sleepers).toBe(0);
  });
});

describe('storage that refuses', () => {
  it('keeps what it was given, says why nothing moves, and goes on as before', async () => {
    const { committer: made, clock, refusal, row } = await committer();
    refusal.commit = (commit) => (commit.requests > 0 ? full() : null);
    const saved = made.submit({ requests: 1 });
    await clock.advance(10_000);
    expect(made.isTroubled).toBe(true);
    expect(await row()).toMatchObject({ status: 'paused', reason: 'storage', requests: 0 });
    refusal.commit = null;
    await clock.advance(2_000);
    expect(await saved).toMatchObject({ status: 'running', reason: null, failure: null, requests: 1 });
    expect(made.isTroubled).toBe(false);
  });

  it('leaves a task that is not running as it is', async () => {
    for (const status of ['completed', 'paused'] as const) {
      const { committer: made, clock, refusal, row } = await committer(status);
      refusal.commit = (commit) => (commit.requests > 0 ? full() : null);
      const saved = made.submit({ requests: 1 });
      await clock.advance(3_000);
      expect((await row()).status).toBe(status);
      refusal.commit = null;
      await clock.advance(2_000);
      expect((await saved).status).toBe(status);
    }
  });

  it('lets go at once when it is told that nothing of it matters any more', async () => {
    const { committer: made, clock, refusal } = await committer();
    refusal.commit = full;
    const saved = made.submit({ requests: 1 });
    const later = made.submit({ requests: 1 });
    await clock.advance(3_000);
    made.abandon();
    await expect(saved).rejects.toThrow(CommitRefused);
    await expect(later).rejects.toThrow(CommitRefused);
    await expect(made.submit({})).rejects.toThrow(CommitRefused);
    await made.drained();
    expect(clock.sleepers).toBe(0);
  });
});

describe('commits that are never accepted', () => {
  it('rejects everything from a fence on', async () => {
    const { committer: made, store, task } = await committer();
    await store.own(task.id, 0);
    const refused = await made.submit({}).catch((error: unknown) => error);
    expect(refused).toMatchObject({ failure: { code: 'fenced' } });
    await expect(made.submit({})).rejects.toBe(refused);
  });

  it('a defect in the store ends the work, and what became of the task can still be said', async () => {
    const { committer: made, refusal, row } = await committer();
    const defect = new TypeError('a row that cannot be cloned');
    refusal.commit = (commit) => (commit.steps.length > 0 ? Promise.reject(defect) : null);
    const running = sampleStep('a.txt', { status: 'running' });
    await expect(made.submit({ steps: [running] })).rejects.toBe(defect);
    refusal.commit = null;
    // What follows counts on the step that was lost.
    const done = { steps: [{ ...running, status: 'done' as const }], counts: { ...NO_COUNTS, running: -1, done: 1 } };
    await expect(made.submit(done)).rejects.toBe(defect);
    expect((await row()).counts).toEqual(NO_COUNTS);
    expect(await made.submit({ task: { status: 'paused', reason: 'attention' } })).toMatchObject({ status: 'paused' });
    await made.drained();
  });
});
