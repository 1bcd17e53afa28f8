/** Defects of the chapter's code, each tried here on what took its place. docs/from-the-chapter.md lists them all. */
import { describe, expect, it } from 'vitest';
import type { Commit } from '../core/commit';
import { failure } from '../core/failure';
import { folderId, taskId } from '../core/ids';
import { fail, ok } from '../core/result';
import { EngineBench, newTask, TASK } from '../testing/engine-bench';
import { FAKE_FOLDER_ROW, FakeFolder } from '../testing/fake-folder';
import { settle } from '../testing/fake-clock';
import { FakeTabs, supervisorIn } from '../testing/fake-tabs';
import { answer } from '../testing/scripted-model';
import { TaskRun } from './task-run';

function withFiles(count: number, bench = new EngineBench()): EngineBench {
  for (let n = 0; n < count; n += 1) bench.folder.put(`f_${String(n)}.txt`, `text number ${String(n)}`);
  return bench;
}

/** Calls `look` with every commit that was accepted. */
function watch(bench: EngineBench, look: (commit: Commit) => void): void {
  const commit = bench.store.commit.bind(bench.store);
  bench.store.commit = async (each) => {
    const committed = await commit(each);
    if (committed.ok) look(each);
    return committed;
  };
}

/** Runs until this many files are saved as done, then pauses. */
async function pauseAfter(bench: EngineBench, files: number): Promise<void> {
  const run = bench.newRun();
  let done = 0;
  watch(bench, (commit) => {
    done += commit.counts.done;
    if (done >= files) run.stop('pause');
  });
  await bench.clock.run(run.run({ retryFailed: false }));
  expect(await bench.task()).toMatchObject({ status: 'paused', reason: 'user' });
}

describe('resuming', () => {
  it('seed defect 4: a task whose folder became another one takes nothing of the first', async () => {
    const folders = { now: new FakeFolder() };
    const bench = new EngineBench({ folders: { open: () => Promise.resolve(ok(folders.now)) } });
    for (const n of [0, 1, 2, 3, 4]) folders.now.put(`f_${String(n)}.txt`, `first folder ${String(n)}`);
    await bench.createTask({ concurrency: 1 });
    await pauseAfter(bench, 2);
    folders.now = new FakeFolder();
    for (const n of [0, 1, 2]) folders.now.put(`f_${String(n)}.txt`, `the second folder ${String(n)}`);
    const before = bench.model.calls.length;
    await bench.run();
    expect(await bench.task()).toMatchObject({ status: 'completed', counts: { done: 3, failed: 0 } });
    const asked = bench.model.calls.slice(before).map(({ matter }) => matter);
    for (const n of [0, 1, 2]) expect(asked).toContain(`the second folder ${String(n)}`);
    expect(asked.filter((matter) => matter.includes('first folder'))).toEqual([]);
    for (const step of await bench.files()) if (step.status === 'done') expect(step.excerpt).toContain('second folder');
    expect(await bench.report()).not.toContain('first folder');
  });

  it('seed defect 6: after a pause every file stands in the report once, under its path', async () => {
    const bench = withFiles(6);
    await bench.createTask({ concurrency: 1 });
    await pauseAfter(bench, 3);
    bench.folder.put('f_0.txt', 'text number 0, changed meanwhile');
    await bench.run();
    expect((await bench.task()).counts).toMatchObject({ planned: 6, done: 6 });
    const report = await bench.report();
    for (let n = 0; n < 6; n += 1) expect(report.split(`(results/f_${String(n)}.txt.md)`)).toHaveLength(2);
    expect(report).not.toMatch(/\b[0-9a-f]{16,}\b/);
    expect((await bench.files()).map((step) => step.file?.path).sort()).toEqual(
      [0, 1, 2, 3, 4, 5].map((n) => `f_${String(n)}.txt`),
    );
  });

  it('seed defect 7, seed defect 8: the same tab continues a task as often as it is paused, and needs nothing but its id', async () => {
    const bench = withFiles(8);
    await bench.createTask({ concurrency: 1, instructions: 'Only the numbers.' });
    const tabs = new FakeTabs();
    const tab = supervisorIn(tabs.open(), bench.ports);
    for (const done of [2, 4, 6]) {
      bench.model.script(({ matter }) =>
        bench.model.calls.length > done ? new Promise<never>(() => undefined) : answer(matter),
      );
      expect(await tab.command(TASK, 'continue')).toEqual(ok());
      while ((await bench.task()).counts.done < done || bench.model.inFlight === 0) await settle();
      await tab.command(TASK, 'pause');
      while ((await bench.task()).status !== 'paused') await settle();
      bench.model.calls.length = (await bench.task()).counts.done;
    }
    bench.model.script(({ matter }) => answer(matter));
    await tab.command(TASK, 'continue');
    while ((await bench.task()).status !== 'completed') await settle();
    expect((await bench.task()).counts).toMatchObject({ done: 8, failed: 0 });
    for (const { request } of bench.model.fileCalls)
      expect(JSON.stringify(request.messages)).toContain('Only the numbers.');
  });

  it('seed defect 9: the states that a task is in are the ones its row says, one after the other', async () => {
    const bench = withFiles(3);
    await bench.createTask({ concurrency: 1 });
    const states = [(await bench.task()).status];
    watch(bench, ({ task }) => {
      if (task.status !== undefined && task.status !== states.at(-1)) states.push(task.status);
    });
    await pauseAfter(bench, 1);
    await bench.run();
    expect(states).toEqual(['pending', 'running', 'paused', 'running', 'completed']);
    bench.model.script(() => fail(failure('request_rejected')));
    for (const n of [0, 1, 2]) bench.folder.put(`f_${String(n)}.txt`, `refused ${String(n)}`);
    await bench.run();
    expect(states.slice(5)).toEqual(['running', 'failed']);
  });

  it('seed defect 11: failures are no progress, and the total follows the folder', async () => {
    const bench = withFiles(9);
    bench.model.script(({ matter }) =>
      matter === 'text number 0' ? fail(failure('request_rejected')) : answer(matter),
    );
    await bench.createTask({ concurrency: 1 });
    await pauseAfter(bench, 2);
    const paused = (await bench.task()).counts;
    expect(paused).toMatchObject({ planned: 9, failed: 1 });
    expect(paused.done).toBeGreaterThanOrEqual(2);
    expect(paused.done).toBeLessThan(8);
    bench.folder.put('g.txt', 'one more').put('h.txt', 'and another').remove('f_8.txt');
    await bench.run();
    const { counts } = await bench.task();
    expect(counts).toMatchObject({ done: 9, failed: 1 });
    expect(counts.planned).toBe(counts.done + counts.failed + counts.skipped);
  });

  it('seed defect 12: a new task beside an old one of the same folder overwrites nothing of it', async () => {
    const bench = withFiles(3);
    await bench.createTask();
    await bench.run();
    const before = { task: await bench.task(), files: await bench.files(), report: await bench.report() };
    const other = taskId('ba9876543210');
    await bench.store.createTask({ ...newTask(), id: other }, { ...FAKE_FOLDER_ROW, id: folderId('folder-1') });
    await bench.clock.run(new TaskRun(bench.ports, other).run({ retryFailed: false }));
    expect(await bench.store.task(other)).toMatchObject({ value: { status: 'completed', counts: { reused: 3 } } });
    expect({ task: await bench.task(), files: await bench.files(), report: await bench.report() }).toEqual(before);
    expect([...bench.folder.written.keys()].filter((path) => path.endsWith('report.md'))).toHaveLength(2);
  });
});

describe('what is kept', () => {
  it('RES-01, seed defect 15: of two files with equal text the second is not lost when the task stops after the first', async () => {
    const bench = new EngineBench();
    bench.folder.put('a.txt', 'the same words').put('b.txt', 'the same words');
    await bench.createTask({ concurrency: 1 });
    const commit = bench.store.commit.bind(bench.store);
    bench.store.commit = async (each) => {
      const committed = await commit(each);
      // As if killed right after the first was saved: nothing of the second ever is.
      if (each.counts.done > 0) bench.store.commit = () => new Promise<never>(() => undefined);
      return committed;
    };
    void bench.newRun().run({ retryFailed: false });
    while ((await bench.task()).counts.done === 0) await settle();
    await settle();
    expect((await bench.task()).counts).toMatchObject({ planned: 2, done: 1, reused: 0 });
    bench.store.commit = commit;
    await bench.run();
    expect(await bench.task()).toMatchObject({ status: 'completed', counts: { done: 1, reused: 1 } });
    expect(bench.model.fileCalls).toHaveLength(1);
    const report = await bench.report();
    for (const path of ['a.txt', 'b.txt']) expect(report).toContain(`(results/${path}.md)`);
  });

  it('seed defect 14: another wish about the same file never gets the earlier answer', async () => {
    const bench = withFiles(1);
    const asked = async (id: string, instructions: string) => {
      const options = { ...newTask().options, instructions };
      await bench.store.createTask({ ...newTask(), id: taskId(id), options }, FAKE_FOLDER_ROW);
      const before = bench.model.fileCalls.length;
      await bench.clock.run(new TaskRun(bench.ports, taskId(id)).run({ retryFailed: false }));
      return bench.model.fileCalls.length - before;
    };
    expect(await asked('000000000001', 'EXTRACT DATES')).toBe(1);
    expect(await asked('000000000002', 'EXTRACT NAMES')).toBe(1);
    expect(await asked('000000000003', 'EXTRACT DATES'), 'seed defect 15: the cache is used').toBe(0);
    bench.model.identity = 'openai/another';
    expect(await asked('000000000004', 'EXTRACT DATES')).toBe(1);
  });

  it('seed defect 20: a file is read again when its time changed, and asked about only when its text did', async () => {
    const bench = withFiles(2);
    await bench.createTask();
    await bench.run();
    const [reads, calls] = [bench.folder.reads, bench.model.calls.length];
    bench.folder.put('f_0.txt', 'text number 0');
    await bench.run();
    expect(bench.folder.reads - reads).toBeGreaterThan(0);
    expect(bench.model.calls).toHaveLength(calls);
    bench.folder.put('f_0.txt', 'text number O');
    await bench.run();
    expect(bench.model.fileCalls.at(-1)?.matter).toBe('text number O');
  });

  it(
    'seed defect 23, IDB-11: what is written for a step does not grow with the task',
    { timeout: 60_000 },
    async () => {
      const bench = withFiles(2_000);
      await bench.createTask({ concurrency: 1 });
      const bytesOfStep: number[] = [];
      watch(bench, (commit) => {
        const done = commit.steps.filter((step) => step.type === 'file' && step.status === 'done').length;
        if (done > 0) bytesOfStep.push(...Array.from({ length: done }, () => JSON.stringify(commit).length / done));
      });
      await bench.run();
      expect(bytesOfStep).toHaveLength(2_000);
      const around = (nth: number) =>
        bytesOfStep.slice(nth - 50, nth + 50).reduce((sum, bytes) => sum + bytes, 0) / 100;
      expect(around(1_900)).toBeLessThan(around(100) * 2);
      expect(around(1_900)).toBeLessThan(8_000);
    },
  );
});

describe('the report', () => {
  it('seed defect 5: is saved in the very commit that says completed, whatever becomes of the folder', async () => {
    const bench = withFiles(2);
    bench.folder.isWritable = false;
    await bench.createTask();
    const completing: Commit[] = [];
    watch(bench, (commit) => {
      if (commit.task.status === 'completed') completing.push(commit);
    });
    await bench.run();
    const [commit, ...more] = completing;
    expect(more).toEqual([]);
    expect(commit?.results.map(({ key }) => key)).toEqual([commit?.task.report]);
    expect(await bench.task()).toMatchObject({ status: 'completed', output: 'refused' });
    expect(await bench.report()).toContain('Executive summary');
  });
});

describe('two at once', () => {
  it('seed defect 25: of two owners the later one goes on, and what the first gets too late is refused', async () => {
    const bench = withFiles(6);
    await bench.createTask({ concurrency: 2 });
    let release = () => undefined as void;
    const late = new Promise<void>((resolve) => (release = resolve));
    bench.model.script(({ matter }, nth) => (nth > 2 ? late.then(() => answer('too late')) : answer(matter)));
    const first = bench.newRun().run({ retryFailed: false });
    while (bench.model.calls.length < 4) await settle();
    bench.model.script(({ matter }) => answer(matter));
    await bench.run();
    const [task, files] = [await bench.task(), await bench.files()];
    expect(task).toMatchObject({ status: 'completed', epoch: 2, counts: { done: 6 } });
    expect(bench.model.fileCalls).toHaveLength(8);
    release();
    expect(await bench.clock.run(first)).toMatchObject({ ok: false, failure: { code: 'fenced' } });
    expect([await bench.task(), await bench.files()]).toEqual([task, files]);
    expect(bench.model.fileCalls, 'an owner that is refused asks nothing more').toHaveLength(8);
  });
});
