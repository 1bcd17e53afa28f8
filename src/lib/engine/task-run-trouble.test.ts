import { describe, expect, it } from 'vitest';
import { failure } from '../core/failure';
import type { FailureCode } from '../core/failure-codes';
import { REPORT_SECTIONS } from '../core/model';
import { fail, ok } from '../core/result';
import { EngineBench } from '../testing/engine-bench';
import { settle } from '../testing/fake-clock';
import { answer } from '../testing/scripted-model';

function withFiles(count: number): EngineBench {
  const bench = new EngineBench();
  for (let n = 0; n < count; n += 1) bench.folder.put(`f_${String(n)}.txt`, `text number ${String(n)}`);
  return bench;
}

describe('storage that cannot be read for a moment', () => {
  it.each(['stepsByStatus', 'stepsOfType', 'folder', 'result'] as const)('%s: waits, and goes on', async (method) => {
    const bench = withFiles(8);
    const once = { failed: false };
    const store = bench.store as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
    const real = store[method]?.bind(bench.store);
    let calls = 0;
    store[method] = (...args) => {
      calls += 1;
      if (calls !== 3 && !(method === 'folder' && calls === 1)) return real?.(...args) ?? Promise.resolve();
      once.failed = true;
      return Promise.resolve(fail(failure('storage_unavailable')));
    };
    await bench.createTask();
    await bench.run();
    expect(once.failed).toBe(true);
    expect(await bench.task()).toMatchObject({ status: 'completed', output: 'written', counts: { done: 8 } });
    expect(bench.model.fileCalls).toHaveLength(8);
  });

  it('is waited for when the task is taken over', async () => {
    const bench = withFiles(2);
    await bench.createTask();
    const own = bench.store.own.bind(bench.store);
    let refusals = 3;
    bench.store.own = (...args) => (refusals-- > 0 ? Promise.resolve(fail(failure('storage_full'))) : own(...args));
    expect(await bench.run()).toEqual(ok());
  });
});

describe('an endpoint that answers with faults', () => {
  it.each(['server_fault', 'server_busy', 'stream_cut'] satisfies FailureCode[])(
    '%s from every request parks the task before a file is lost to it, when a probe fails too',
    async (code) => {
      const bench = withFiles(6);
      let isUp = false;
      bench.model.isReachable = () => (isUp ? ok() : fail(failure(code)));
      bench.model.script(({ matter }) => (isUp ? answer(matter) : fail(failure(code))));
      await bench.createTask({ concurrency: 2 });
      const run = bench.newRun().run({ retryFailed: false });
      await bench.clock.advance(10 * 60_000);
      expect(await bench.task()).toMatchObject({ status: 'paused', reason: 'endpoint', counts: { failed: 0 } });
      isUp = true;
      await bench.clock.run(run);
      expect(await bench.task()).toMatchObject({ status: 'completed', counts: { done: 6, failed: 0 } });
    },
  );
});

describe('a report that could not be made', () => {
  it('is tried again by "continue"', async () => {
    const bench = withFiles(3);
    bench.model.script(({ matter, request }) =>
      request.material.what === 'section' ? fail(failure('request_rejected')) : answer(matter),
    );
    await bench.createTask();
    await bench.run();
    expect(await bench.task()).toMatchObject({ status: 'failed', failure: { code: 'report_failed' } });
    bench.model.script(({ matter }) => answer(matter));
    await bench.run();
    expect(await bench.task()).toMatchObject({ status: 'completed', counts: { done: 3 } });
    expect(bench.model.fileCalls).toHaveLength(3);
  });

  it('pieces of a tree that is about to change are not asked about', async () => {
    const bench = withFiles(3);
    const run = bench.newRun();
    bench.model.script(({ matter, request }) => {
      if (request.material.what === 'section') run.stop('pause');
      return answer(matter);
    });
    await bench.createTask();
    await bench.clock.run(run.run({ retryFailed: false }));
    const before = bench.model.calls.length;
    bench.model.script(({ matter }) => answer(matter));
    bench.folder.put('f_1.txt', 'another text');
    await bench.run();
    expect((await bench.task()).status).toBe('completed');
    expect(bench.model.calls.length - before).toBe(1 + 4);
  });

  it('nor are sections whose inputs are about to be merged', async () => {
    const bench = withFiles(3);
    bench.model.contextTokens = 2_048;
    const run = bench.newRun();
    bench.model.script(({ matter, request }) => {
      if (request.material.what === 'section') run.stop('pause');
      return answer(`${matter.slice(0, 20)} ${'words '.repeat(100)}`);
    });
    await bench.createTask();
    await bench.clock.run(run.run({ retryFailed: false }));
    expect(bench.model.calls.some(({ request }) => request.material.what === 'merge')).toBe(false);
    const asked: string[] = [];
    bench.model.script(({ matter, request }) => {
      asked.push(request.material.what);
      return answer(`${matter.slice(0, 20)} ${'words '.repeat(100)}`);
    });
    for (let n = 3; n < 24; n += 1) bench.folder.put(`f_${String(n)}.txt`, `text number ${String(n)}`);
    await bench.run();
    expect((await bench.task()).status).toBe('completed');
    expect(asked).toContain('merge');
    expect(asked.slice(0, asked.lastIndexOf('merge'))).not.toContain('section');
    expect(asked.filter((what) => what === 'section')).toHaveLength(REPORT_SECTIONS.length);
  });

  it('output that fails leaves a completed task completed', async () => {
    const bench = withFiles(2);
    const stepsOfType = bench.store.stepsOfType.bind(bench.store);
    bench.store.stepsOfType = async (...page) =>
      (await bench.task()).status === 'completed' ? fail(failure('row_unreadable')) : stepsOfType(...page);
    await bench.createTask();
    expect(await bench.run()).toEqual(ok());
    expect(await bench.task()).toMatchObject({ status: 'completed', reason: null, output: 'failed' });
  });
});

describe('requests that overflow together', () => {
  it('teach one lesson, not one each', async () => {
    const bench = withFiles(6);
    let release = () => undefined as void;
    const gate = new Promise<void>((resolve) => (release = resolve));
    bench.model.script(async ({ matter }, nth) => {
      if (nth === 1) return fail(failure('context_overflow'));
      if (nth > 4) return answer(matter);
      await gate;
      return fail(failure('context_overflow'));
    });
    await bench.createTask({ concurrency: 4 });
    const run = bench.newRun().run({ retryFailed: false });
    while ((await bench.task()).contextTokens === null) await settle();
    release();
    await bench.clock.run(run);
    expect(await bench.task()).toMatchObject({ status: 'completed', contextTokens: 2_048 });
  });
});

describe('pausing', () => {
  it('does not wait for a file that takes for ever to read', async () => {
    const bench = withFiles(3);
    bench.folder.read = () => new Promise<never>(() => undefined);
    await bench.createTask();
    const run = bench.newRun();
    const running = run.run({ retryFailed: false });
    await settle();
    run.stop('pause');
    await bench.clock.advance(2_000);
    expect(await bench.task()).toMatchObject({ status: 'paused', reason: 'user', counts: { running: 0 } });
    await running;
  });

  it('in the middle of the walk leaves no step running', async () => {
    const bench = withFiles(900);
    bench.model.script(() => new Promise<never>(() => undefined));
    await bench.createTask();
    const commit = bench.store.commit.bind(bench.store);
    const run = bench.newRun();
    bench.store.commit = async (each) => {
      if (each.counts.running > 0) run.stop('pause');
      return commit(each);
    };
    await bench.clock.run(run.run({ retryFailed: false }));
    expect(await bench.task()).toMatchObject({ status: 'paused', reason: 'user', counts: { running: 0 } });
  });
});

describe('what is pressed while a run is under way', () => {
  it('"retry failed" runs the failed files within it', async () => {
    const bench = withFiles(4);
    const broken = { yes: true };
    let release = () => undefined as void;
    const gate = new Promise<void>((resolve) => (release = resolve));
    bench.model.script(async ({ matter }) => {
      if (matter === 'text number 3') await gate;
      return matter === 'text number 1' && broken.yes ? fail(failure('request_rejected')) : answer(matter);
    });
    await bench.createTask();
    const run = bench.newRun();
    const running = run.run({ retryFailed: false });
    while ((await bench.task()).counts.failed === 0) await settle();
    broken.yes = false;
    expect(run.retryFailed()).toBe(true);
    release();
    await bench.clock.run(running);
    expect(await bench.task()).toMatchObject({ status: 'completed', counts: { planned: 4, done: 4, failed: 0 } });
    expect(bench.model.fileCalls).toHaveLength(5);
    expect(run.retryFailed()).toBe(false);
  });

  it('"retry failed" while the report is made has it made anew', async () => {
    const bench = withFiles(3);
    const broken = { yes: true };
    const run = bench.newRun();
    bench.model.script(({ matter, request }) => {
      if (request.material.what === 'section' && broken.yes) {
        broken.yes = false;
        run.retryFailed();
      }
      return matter === 'text number 1' && broken.yes ? fail(failure('request_rejected')) : answer(matter);
    });
    await bench.createTask();
    await bench.clock.run(run.run({ retryFailed: false }));
    expect(await bench.task()).toMatchObject({ status: 'completed', counts: { done: 3, failed: 0 } });
    expect(await bench.report()).toContain('3 of 3');
  });

  it('another width before the task is ours is kept', async () => {
    const bench = withFiles(6);
    bench.model.script(async ({ matter }) => {
      await settle();
      return answer(matter);
    });
    await bench.createTask({ concurrency: 1 });
    const run = bench.newRun();
    const running = run.run({ retryFailed: false });
    await run.resize(3);
    await bench.clock.run(running);
    expect(bench.model.mostInFlight).toBe(3);
    expect((await bench.task()).options.concurrency).toBe(3);
  });

  it('a look at the page long ago does not cut short a wait that the server asked for', async () => {
    const bench = withFiles(1);
    bench.model.script(({ matter }, nth) =>
      nth === 1 ? fail(failure('rate_limited', { retryAfterMs: 30_000 })) : answer(matter),
    );
    await bench.createTask({ concurrency: 1 });
    const run = bench.newRun();
    run.wake();
    await bench.clock.run(run.run({ retryFailed: false }));
    expect(bench.clock.monotonicMs()).toBeGreaterThanOrEqual(30_000);
  });

  it.each([
    ['a look at the page', 'wake', 30_000],
    ['"continue"', 'proceed', 5_000],
  ] as const)('%s in the middle of it: goes on at %3$s ms', async (_, press, asksAtMs) => {
    const bench = withFiles(1);
    const askedMs: number[] = [];
    bench.model.script(({ matter }, nth) => {
      askedMs.push(bench.clock.monotonicMs());
      return nth === 1 ? fail(failure('rate_limited', { retryAfterMs: 30_000 })) : answer(matter);
    });
    await bench.createTask({ concurrency: 1 });
    const run = bench.newRun();
    const running = run.run({ retryFailed: false });
    await bench.clock.advance(5_000);
    run[press]();
    await bench.clock.run(running);
    expect(askedMs[1]).toBeGreaterThanOrEqual(asksAtMs);
    expect(askedMs[1]).toBeLessThan(asksAtMs + 5_000);
  });
});

describe('a defect', () => {
  it('of the store ends the run with the reason, not in silence', async () => {
    const bench = withFiles(3);
    const commit = bench.store.commit.bind(bench.store);
    bench.store.commit = (each) =>
      each.counts.done > 0 ? Promise.reject(new TypeError('cannot be cloned')) : commit(each);
    await bench.createTask();
    expect(await bench.run()).toMatchObject({ ok: false, failure: { code: 'unexpected' } });
    expect(await bench.task()).toMatchObject({
      status: 'paused',
      reason: 'attention',
      failure: { code: 'unexpected', message: 'cannot be cloned' },
    });
    bench.store.commit = commit;
    await bench.run();
    expect(await bench.task()).toMatchObject({ status: 'completed', counts: { planned: 3, running: 0, done: 3 } });
  });
});

describe('the rhythm', () => {
  it('counts every file that settled, also those saved together', async () => {
    const bench = withFiles(12);
    await bench.createTask({ concurrency: 6 });
    const commit = bench.store.commit.bind(bench.store);
    bench.store.commit = async (each) => {
      await settle();
      return commit(each);
    };
    await bench.run();
    expect((await bench.task()).pace.samples).toBe(11);
  });
});
