import { describe, expect, it } from 'vitest';
import { mergeDrafts } from '../core/commit';
import { failure } from '../core/failure';
import { fail } from '../core/result';
import type { TaskStatus } from '../core/task';
import { EngineBench, TASK } from '../testing/engine-bench';
import { settle } from '../testing/fake-clock';
import { FakeTabs, supervisorIn } from '../testing/fake-tabs';
import { answer } from '../testing/scripted-model';

async function bench(files = 4) {
  const made = new EngineBench();
  for (let n = 0; n < files; n += 1) made.folder.put(`f_${String(n)}.txt`, `text number ${String(n)}`);
  await made.createTask();
  const tabs = new FakeTabs();
  const tab = () => supervisorIn(tabs.open(), made.ports);
  const until = async (status: TaskStatus, reason?: string) => {
    for (let turn = 0; turn < 500; turn += 1) {
      const task = await made.task();
      if (task.status === status && (reason === undefined || task.reason === reason)) return task;
      await settle();
    }
    throw new Error(`the task is ${JSON.stringify(await made.task())}`);
  };
  return { made, tab, until };
}

const stuck = () => new Promise<never>(() => undefined);

describe('no command is lost', () => {
  it('"retry failed" in mid run, from the owner and from a tab that watches', async () => {
    for (const from of ['owner', 'watcher'] as const) {
      const { made, tab, until } = await bench();
      const broken = { yes: true };
      let release = () => undefined as void;
      const gate = new Promise<void>((resolve) => (release = resolve));
      made.model.script(async ({ matter }) => {
        if (matter === 'text number 3') await gate;
        return matter === 'text number 0' && broken.yes ? fail(failure('request_rejected')) : answer(matter);
      });
      const [owner, watcher] = [tab(), tab()];
      await owner.command(TASK, 'continue');
      while ((await made.task()).counts.failed === 0) await settle();
      broken.yes = false;
      await (from === 'owner' ? owner : watcher).command(TASK, 'retry_failed');
      release();
      expect((await until('completed')).counts).toMatchObject({ done: 4, failed: 0 });
    }
  });

  it('"continue" on a completed task whose output is still being written', async () => {
    const { made, tab, until } = await bench();
    const write = made.folder.write.bind(made.folder);
    let release = () => undefined as void;
    const gate = new Promise<void>((resolve) => (release = resolve));
    made.folder.write = async (path, content) => {
      await gate;
      return write(path, content);
    };
    const owner = tab();
    await owner.command(TASK, 'continue');
    await until('completed');
    made.folder.put('late.txt', 'a late text');
    await owner.command(TASK, 'continue');
    release();
    while ((await made.task()).counts.done < 5) await settle();
    await until('completed');
  });

  it('pause that reaches the owner while it takes the task over', async () => {
    const { made, tab, until } = await bench();
    made.model.script(stuck);
    const [owner, watcher] = [tab(), tab()];
    const read = made.store.task.bind(made.store);
    let release = () => undefined as void;
    const gate = new Promise<void>((resolve) => (release = resolve));
    let reads = 0;
    made.store.task = async (id) => {
      reads += 1;
      const row = await read(id);
      if (reads === 2) await gate;
      return row;
    };
    await owner.command(TASK, 'continue');
    await settle();
    await watcher.command(TASK, 'pause');
    release();
    await until('paused', 'user');
  });

  it('cancel of a failed task', async () => {
    const { made, tab, until } = await bench();
    made.model.script(() => fail(failure('request_rejected')));
    await tab().command(TASK, 'continue');
    await until('failed');
    await settle();
    await tab().command(TASK, 'cancel');
    expect(await until('cancelled')).toMatchObject({ failure: null, hold: null });
  });

  it('another width for a task that waits for attention and has no owner', async () => {
    const { made, tab } = await bench();
    const owned = await made.store.own(TASK, 0);
    const epoch = owned.ok ? owned.value.epoch : 0;
    await made.store.commit({
      ...mergeDrafts([{ task: { status: 'paused', reason: 'attention' } }]),
      taskId: TASK,
      epoch,
      atMs: 0,
    });
    await tab().setConcurrency(TASK, 9);
    for (let turn = 0; turn < 20 && (await made.task()).options.concurrency !== 9; turn += 1) await settle();
    expect(await made.task()).toMatchObject({ status: 'paused', reason: 'attention', options: { concurrency: 9 } });
  });

  it('another width from a tab that watches', async () => {
    const { made, tab, until } = await bench(12);
    made.model.script(stuck);
    const [owner, watcher] = [tab(), tab()];
    await owner.command(TASK, 'continue');
    await watcher.watch();
    while (made.model.inFlight < 4) await settle();
    await watcher.setConcurrency(TASK, 7);
    while (made.model.inFlight < 7) await settle();
    expect((await made.task()).options.concurrency).toBe(7);
    await watcher.command(TASK, 'cancel');
    await until('cancelled');
  });
});

describe('storage trouble', () => {
  it('at the start does not keep tasks from going on by themselves', async () => {
    const { made, tab, until } = await bench();
    const tasks = made.store.tasks.bind(made.store);
    const task = made.store.task.bind(made.store);
    let refusals = 2;
    const refused = () => Promise.resolve(fail(failure('storage_blocked')));
    made.store.tasks = () => (refusals-- > 0 ? refused() : tasks());
    const watching = tab().watch();
    await made.clock.advance(10_000);
    await watching;
    await until('completed');
    refusals = 1;
    made.store.task = (id) => (refusals-- > 0 ? refused() : task(id));
    expect(await tab().command(TASK, 'continue')).toMatchObject({ ok: false });
  });

  it('keeps a pause until it can be saved', async () => {
    const { made, tab, until } = await bench();
    const own = made.store.own.bind(made.store);
    let isFull = true;
    made.store.own = (...given) => (isFull ? Promise.resolve(fail(failure('storage_full'))) : own(...given));
    const owner = tab();
    await owner.command(TASK, 'continue');
    await settle();
    await owner.command(TASK, 'pause');
    isFull = false;
    await made.clock.advance(4_000);
    await until('paused', 'user');
    expect(made.model.calls).toHaveLength(0);
  });

  it('a full disk can be freed by deleting the very task that fills it', async () => {
    const { made, tab } = await bench();
    const commit = made.store.commit.bind(made.store);
    const owner = tab();
    let isFull = false;
    made.store.commit = (each) => (isFull ? Promise.resolve(fail(failure('storage_full'))) : commit(each));
    made.model.script(stuck);
    await owner.command(TASK, 'continue');
    while (made.model.inFlight < 4) await settle();
    isFull = true;
    for (const deleter of [tab(), owner]) {
      const removed = await deleter.exclusively(TASK, () => Promise.resolve('removed'));
      expect(removed).toBe('removed');
    }
  });
});

describe('deleting', () => {
  it('right after the start waits for no run', async () => {
    const { made, tab } = await bench();
    made.model.script(stuck);
    const owner = tab();
    await owner.command(TASK, 'continue');
    expect(await owner.exclusively(TASK, () => made.store.removeTask(TASK))).toMatchObject({ ok: true });
    await settle();
    expect(made.model.calls).toHaveLength(0);
  });

  it('while a tab waits for the disk to pause the task', async () => {
    const { made, tab } = await bench();
    made.store.commit = () => Promise.resolve(fail(failure('storage_full')));
    const pauser = tab();
    await pauser.command(TASK, 'pause');
    await settle();
    expect(await tab().exclusively(TASK, () => Promise.resolve('removed'))).toBe('removed');
  });
});

describe('defects', () => {
  it('that end an attendance do not keep the task from being attended again', async () => {
    const { made, tab, until } = await bench();
    const own = made.store.own.bind(made.store);
    const defect = new TypeError('a defect');
    made.store.own = () => Promise.reject(defect);
    const told: unknown[] = [];
    const onRejection = (reason: unknown) => told.push(reason);
    process.on('unhandledRejection', onRejection);
    const owner = tab();
    await owner.command(TASK, 'continue');
    await settle();
    made.store.own = own;
    await owner.command(TASK, 'continue');
    await until('completed');
    process.off('unhandledRejection', onRejection);
    expect(told).toEqual([defect]);
  });
});
