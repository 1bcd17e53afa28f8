import { describe, expect, it } from 'vitest';
import { failure } from '../core/failure';
import { fail, ok } from '../core/result';
import type { TaskRow } from '../core/task';
import { EngineBench, TASK, newTask, OPTIONS } from '../testing/engine-bench';
import { OwnerLife } from '../testing/owner-life';
import { answer } from '../testing/scripted-model';
import { deadlineLeftMs } from './deadline';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Every file takes ten minutes, one after the other. */
function slow(files: number): EngineBench {
  const bench = new EngineBench();
  for (let n = 0; n < files; n += 1) bench.folder.put(`f_${String(n).padStart(2, '0')}.txt`, `text ${String(n)}`);
  bench.model.script(async ({ matter, request }) => {
    if (request.material.what === 'file') await bench.clock.sleep(10 * MINUTE_MS);
    return answer(matter);
  });
  return bench;
}

function begin(bench: EngineBench) {
  const run = bench.newRun();
  return { run, done: run.run({ retryFailed: false }) };
}

const REACHED = { status: 'paused', reason: 'attention', failure: { code: 'deadline_reached', details: { hours: 1 } } };

describe('deadlineLeftMs', () => {
  const row = (fields: Partial<TaskRow>): TaskRow => ({ ...newTask(), ...fields });
  it.each([
    ['none', row({}), HOUR_MS, null],
    ['not begun', row({ options: { ...OPTIONS, deadlineHours: 2 } }), 0, 2 * HOUR_MS],
    ['half over', row({ options: { ...OPTIONS, deadlineHours: 2 } }), HOUR_MS, HOUR_MS],
    ['over', row({ options: { ...OPTIONS, deadlineHours: 0.5 } }), HOUR_MS, -HOUR_MS / 2],
    ['anew', row({ options: { ...OPTIONS, deadlineHours: 1 }, deadlineFromMs: 2 * HOUR_MS }), 2 * HOUR_MS, HOUR_MS],
  ])('%s', (_, task, activeMs, expected) => {
    expect(deadlineLeftMs(task, activeMs)).toBe(expected);
  });
});

describe('a task with a deadline', () => {
  it('pauses with its reason, fails nothing and keeps what is done', async () => {
    const bench = slow(12);
    await bench.createTask({ concurrency: 1, deadlineHours: 1 });
    begin(bench);
    await bench.clock.advance(HOUR_MS + 20 * MINUTE_MS);
    const task = await bench.task();
    expect(task).toMatchObject({ ...REACHED, counts: { failed: 0, running: 0 } });
    expect(task.counts.done).toBeGreaterThanOrEqual(5);
    expect(bench.model.fileCalls.length).toBe(task.counts.done);
    await bench.clock.advance(10 * HOUR_MS);
    expect(await bench.task()).toMatchObject({ ...REACHED, counts: task.counts });
  });

  it('goes on at one click, for as long again', async () => {
    const bench = slow(18);
    await bench.createTask({ concurrency: 1, deadlineHours: 1 });
    const { run, done } = begin(bench);
    await bench.clock.advance(2 * HOUR_MS);
    const first = (await bench.task()).counts.done;
    run.proceed();
    await bench.clock.advance(HOUR_MS - MINUTE_MS);
    expect((await bench.task()).status).toBe('running');
    await bench.clock.advance(2 * HOUR_MS);
    expect(await bench.task()).toMatchObject(REACHED);
    expect((await bench.task()).counts.done).toBeGreaterThanOrEqual(first + 5);
    run.proceed();
    expect(await bench.clock.run(done)).toEqual(ok());
    expect(await bench.task()).toMatchObject({ status: 'completed', counts: { done: 18, failed: 0 } });
  });

  it('goes on in another life of the app, for as long again', async () => {
    const bench = slow(18);
    await bench.createTask({ concurrency: 1, deadlineHours: 1 });
    begin(bench);
    await bench.clock.advance(2 * HOUR_MS);
    const before = await bench.task();
    expect(before).toMatchObject(REACHED);
    await bench.store.own(TASK, 0);
    begin(bench);
    await bench.clock.advance(HOUR_MS - MINUTE_MS);
    const after = await bench.task();
    expect(after.status).toBe('running');
    expect(after.counts.done).toBeGreaterThan(before.counts.done);
  });

  it('does not count a pause', async () => {
    const bench = slow(8);
    await bench.createTask({ concurrency: 1, deadlineHours: 1 });
    let isUp = false;
    bench.model.isReachable = () => (isUp ? ok() : fail(failure('endpoint_unreachable')));
    bench.model.script(async ({ matter }) => {
      if (!isUp) return fail(failure('endpoint_unreachable'));
      await bench.clock.sleep(MINUTE_MS);
      return answer(matter);
    });
    const { done } = begin(bench);
    await bench.clock.advance(90 * MINUTE_MS);
    expect(await bench.task()).toMatchObject({ status: 'paused', reason: 'endpoint' });
    isUp = true;
    expect(await bench.clock.run(done)).toEqual(ok());
    expect((await bench.task()).status).toBe('completed');
  });

  it('LIF-03: does not count the sleep of the machine, nor a wall clock that is set', async () => {
    const bench = slow(4);
    await bench.createTask({ concurrency: 1, deadlineHours: 1 });
    const { done } = begin(bench);
    await bench.clock.advance(15 * MINUTE_MS);
    bench.clock.freeze(8 * HOUR_MS);
    await bench.clock.advance(MINUTE_MS);
    bench.clock.jumpWall(8 * 24 * HOUR_MS);
    expect(await bench.clock.run(done)).toEqual(ok());
    const task = await bench.task();
    expect(task.status).toBe('completed');
    expect(task.activeMs).toBeLessThan(HOUR_MS);
  });

  it('that is over before the deadline never hears of it', async () => {
    const bench = slow(3);
    await bench.createTask({ deadlineHours: 1 });
    expect(await bench.run()).toEqual(ok());
    expect((await bench.task()).status).toBe('completed');
    expect(bench.clock.sleepers).toBe(0);
  });

  it('counts anew when a finished task runs again', async () => {
    const bench = slow(5);
    await bench.createTask({ concurrency: 1, deadlineHours: 1 });
    expect(await bench.run()).toEqual(ok());
    for (let n = 0; n < 4; n += 1) bench.folder.put(`more_${String(n)}.txt`, `more ${String(n)}`);
    expect(await bench.run()).toEqual(ok());
    expect(await bench.task()).toMatchObject({ status: 'completed', counts: { done: 9 } });
  });
});

describe('a kill around a question', () => {
  it.each(['deadline_reached', 'too_many_failures'] as const)(
    '%s is asked all the same: what was answered is never saved before the question',
    async (code) => {
      const bench = slow(60);
      const refused = fail(failure('content_refused'));
      if (code === 'too_many_failures') bench.model.script(() => refused);
      await bench.createTask({ concurrency: 1, ...(code === 'deadline_reached' ? { deadlineHours: 1 } : {}) });
      const commit = bench.store.commit.bind(bench.store);
      const patches: unknown[] = [];
      bench.store.commit = (each) => {
        const { status, failuresSeen, deadlineFromMs } = each.task;
        if (failuresSeen !== undefined || deadlineFromMs !== undefined) patches.push(status);
        return commit(each);
      };
      const asked = () => patches.length > 0;
      await new OwnerLife(bench).live(asked);
      expect(patches).toEqual(['paused']);
    },
  );
});
