import { describe, expect, it } from 'vitest';
import { failure } from '../core/failure';
import { fail, ok } from '../core/result';
import { EngineBench, TASK, newTask } from '../testing/engine-bench';
import { NO_COUNTS, type Counts } from '../core/counts';
import type { TaskRow } from '../core/task';
import { answer } from '../testing/scripted-model';
import { isTooManyFailed } from './failure-share';
import type { TaskRun } from './task-run';

const row = (counts: Partial<Counts>, fields: Partial<TaskRow> = {}): TaskRow => ({
  ...newTask(),
  counts: { ...NO_COUNTS, planned: 1_000, ...counts },
  ...fields,
});

const withPercent = (failurePercent: number) => ({ options: { ...newTask().options, failurePercent } });

describe('the share of failures', () => {
  it.each([
    ['half of twenty', row({ done: 8, reused: 2, failed: 10 }), true],
    ['less than half', row({ done: 11, failed: 10 }), false],
    ['all of nineteen', row({ failed: 19 }), false],
    ['skipped files are not tried', row({ failed: 10, done: 9, skipped: 500 }), false],
    ['what the person knew of does not count', row({ failed: 29 }, { failuresSeen: { tried: 20, failed: 20 } }), false],
    ['but what came since does', row({ failed: 40 }, { failuresSeen: { tried: 20, failed: 20 } }), true],
    ['a tenth, where that is the limit', row({ done: 27, failed: 3 }, withPercent(10)), true],
    ['less than a tenth', row({ done: 28, failed: 3 }, withPercent(10)), false],
    ['half, where all may not', row({ done: 20, failed: 20 }, withPercent(100)), false],
    ['all, where never is wanted', row({ failed: 500 }, withPercent(0)), false],
  ])('%s', (_name, task, expected) => {
    expect(isTooManyFailed(task)).toBe(expected);
  });

  it('stops nothing when nothing is left', () => {
    const counts = { planned: 30, failed: 20, done: 5, skipped: 5 };
    const plan = { ...newTask().plan, state: 'done' as const };
    expect(isTooManyFailed(row(counts, { plan }))).toBe(false);
    expect(isTooManyFailed(row(counts, { plan: { ...plan, state: 'walking' } }))).toBe(true);
    expect(isTooManyFailed(row({ ...counts, planned: 31 }, { plan }))).toBe(true);
  });
});

function mostlyRefused(count: number): EngineBench {
  const bench = new EngineBench();
  for (let n = 0; n < count; n += 1) bench.folder.put(`f_${String(n).padStart(3, '0')}.txt`, `text ${String(n)}`);
  bench.model.script(async ({ matter, request }) => {
    await bench.clock.sleep(50);
    const n = Number(/\d+/.exec(matter)?.[0]);
    if (request.material.what !== 'file' || n % 4 === 0) return answer(matter);
    return fail(failure(n % 4 === 1 ? 'content_refused' : 'request_rejected'));
  });
  return bench;
}

async function started(bench: EngineBench): Promise<{ run: TaskRun; done: ReturnType<TaskRun['run']> }> {
  const run = bench.newRun();
  const done = run.run({ retryFailed: false });
  await bench.clock.advance(60_000);
  return { run, done };
}

describe('a task most of whose files fail', () => {
  it('stops and says how many failed and why; what was in flight is finished and kept', async () => {
    const bench = mostlyRefused(100);
    await bench.createTask({ concurrency: 4 });
    await started(bench);
    const task = await bench.task();
    expect(task).toMatchObject({ status: 'paused', reason: 'attention', counts: { running: 0 } });
    expect(task.failure).toMatchObject({
      code: 'too_many_failures',
      verdict: 'ask',
      details: { cause: 'request_rejected' },
    });
    const { tried, failed } = task.failure?.details ?? {};
    expect([tried, failed]).toEqual([20, 15]);
    expect(bench.model.fileCalls.length).toBeLessThanOrEqual(24);
    const { done, failed: failedNow } = task.counts;
    expect(done + failedNow).toBe(bench.model.fileCalls.length);
  });

  it('waits for the person: neither time nor a look at the tab makes it go on', async () => {
    const bench = mostlyRefused(100);
    await bench.createTask();
    const { run } = await started(bench);
    const asked = bench.model.calls.length;
    run.wake();
    await bench.clock.advance(3_600_000);
    expect((await bench.task()).status).toBe('paused');
    expect(bench.model.calls).toHaveLength(asked);
  });

  it('"continue" goes on until another twenty files were tried', async () => {
    const bench = mostlyRefused(60);
    await bench.createTask({ concurrency: 4 });
    const { run, done } = await started(bench);
    const stops = [(await bench.task()).counts];
    run.proceed();
    await bench.clock.advance(60_000);
    stops.push((await bench.task()).counts);
    expect((await bench.task()).failure?.code).toBe('too_many_failures');
    const tried = stops.map((counts) => counts.done + counts.failed);
    expect(tried[1]).toBeGreaterThanOrEqual((tried[0] ?? 0) + 20);
    expect(tried[1]).toBeLessThan((tried[0] ?? 0) + 28);
    run.proceed();
    expect(await bench.clock.run(done)).toEqual(ok());
    expect(await bench.task()).toMatchObject({ status: 'completed', counts: { done: 15, failed: 45 } });
  });

  it('"continue" in a later life of the app goes on as far', async () => {
    const bench = mostlyRefused(40);
    await bench.createTask({ concurrency: 4 });
    await started(bench);
    await bench.store.own(TASK, 0);
    const { counts } = await bench.task();
    await bench.clock.advance(0);
    void bench.newRun().run({ retryFailed: false });
    await bench.clock.advance(60_000);
    expect(await bench.task()).toMatchObject({ status: 'completed', counts: { done: 10, failed: 30 } });
    expect(counts.failed).toBeLessThan(30);
  });

  it('"retry failed" runs all of them again, and the share is looked at from there', async () => {
    const bench = mostlyRefused(40);
    await bench.createTask({ concurrency: 4 });
    const { run, done } = await started(bench);
    bench.model.script(({ matter }) => answer(matter));
    expect(run.retryFailed()).toBe(true);
    expect(await bench.clock.run(done)).toEqual(ok());
    expect(await bench.task()).toMatchObject({ status: 'completed', counts: { done: 40, failed: 0 } });
  });

  it('skipped files stop nothing', async () => {
    const bench = new EngineBench();
    for (let n = 0; n < 60; n += 1) bench.folder.put(`f_${String(n)}.txt`, n % 10 === 0 ? `text ${String(n)}` : ' ');
    await bench.createTask();
    expect(await bench.run()).toEqual(ok());
    expect((await bench.task()).counts).toMatchObject({ done: 6, skipped: 54 });
  });
});
