import { expect, it } from 'vitest';
import type { FailureCode } from '../core/failure-codes';
import { failure } from '../core/failure';
import { fail, ok } from '../core/result';
import { EngineBench } from '../testing/engine-bench';
import { answer } from '../testing/scripted-model';

function withFiles(count: number): EngineBench {
  const bench = new EngineBench();
  for (let n = 0; n < count; n += 1) bench.folder.put(`f_${String(n)}.txt`, `text number ${String(n)}`);
  return bench;
}

it.each(['auth_failed', 'model_not_found', 'quota_exhausted', 'login_page'] satisfies FailureCode[])(
  'SSE-23: %s from every request is one pause of 200 files, and no failure',
  async (code) => {
    const bench = withFiles(200);
    let isMended = false;
    bench.model.isReachable = () => (isMended ? ok() : fail(failure(code)));
    bench.model.script(({ matter }) => (isMended ? answer(matter) : fail(failure(code))));
    await bench.createTask({ concurrency: 4 });
    const run = bench.newRun();
    const running = run.run({ retryFailed: false });
    await bench.clock.advance(60_000);
    expect(await bench.task()).toMatchObject({
      status: 'paused',
      reason: 'endpoint',
      failure: { code },
      counts: { failed: 0 },
    });
    expect(bench.model.calls.length).toBeLessThanOrEqual(4);
    isMended = true;
    run.proceed();
    await bench.clock.run(running);
    expect(await bench.task()).toMatchObject({ status: 'completed', counts: { done: 200, failed: 0 } });
  },
);

it('SSE-24: a pause in the middle of a wait that the server asked for takes at once', async () => {
  const bench = withFiles(3);
  bench.model.script(() => fail(failure('rate_limited', { retryAfterMs: 600_000 })));
  await bench.createTask({ concurrency: 1 });
  const run = bench.newRun();
  const running = run.run({ retryFailed: false });
  await bench.clock.advance(5_000);
  expect(await bench.task()).toMatchObject({ status: 'running', hold: { code: 'rate_limited' } });
  run.stop('pause');
  await running;
  expect(bench.clock.monotonicMs()).toBe(5_000);
  expect(await bench.task()).toMatchObject({ status: 'paused', reason: 'user', hold: null, counts: { failed: 0 } });
});

it('SSE-24: a wait of years is kept to for a quarter of an hour', async () => {
  const bench = withFiles(1);
  bench.model.script(({ matter }, nth) =>
    nth === 1 ? fail(failure('rate_limited', { retryAfterMs: 999_999_999_000 })) : answer(matter),
  );
  await bench.createTask({ concurrency: 1 });
  await bench.clock.run(bench.newRun().run({ retryFailed: false }));
  expect(bench.clock.monotonicMs()).toBeGreaterThanOrEqual(15 * 60_000);
  expect(bench.clock.monotonicMs()).toBeLessThan(16 * 60_000);
  expect(await bench.task()).toMatchObject({ status: 'completed', counts: { done: 1 } });
});
