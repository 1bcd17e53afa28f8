import { describe, expect, it } from 'vitest';
import { failure } from '../core/failure';
import { fileStepKey } from '../core/ids';
import type { Completion } from '../core/model';
import { fail, ok, type Result } from '../core/result';
import { OwnerLife } from '../testing/owner-life';
import { EngineBench, TASK } from '../testing/engine-bench';
import { settle } from '../testing/fake-clock';
import { answer } from '../testing/scripted-model';

function withFiles(count: number, bench = new EngineBench()): EngineBench {
  for (let n = 0; n < count; n += 1) bench.folder.put(`f_${String(n)}.txt`, `text number ${String(n)}`);
  return bench;
}

describe('a run from start to end', () => {
  it('asks about every file once, writes the report, and says completed', async () => {
    const bench = withFiles(20);
    await bench.createTask();
    expect(await bench.run()).toEqual(ok());
    const task = await bench.task();
    expect(task).toMatchObject({ status: 'completed', output: 'written', reason: null, failure: null });
    expect(task.counts).toEqual({ planned: 20, running: 0, done: 20, reused: 0, failed: 0, skipped: 0 });
    expect(bench.model.fileCalls).toHaveLength(20);
    expect(bench.model.mostInFlight).toBeLessThanOrEqual(4);
    const report = await bench.report();
    for (const heading of ['Executive summary', 'Main findings', 'Patterns across files', 'Conclusions']) {
      expect(report).toContain(heading);
    }
    for (let n = 0; n < 20; n += 1) expect(report).toContain(`f\\_${String(n)}.txt`);
    expect([...bench.folder.written.keys()]).toContain('notes-012345/report.md');
    expect(bench.folder.written.get('notes-012345/results.csv')?.split('\r\n')).toHaveLength(22);
  });

  it('seed defect 24: never puts every result into one prompt', async () => {
    const bench = withFiles(200);
    bench.model.contextTokens = 2_048;
    bench.model.script(({ matter }) => answer(`${matter.slice(0, 20)} ${'word '.repeat(200)}`));
    await bench.createTask();
    await bench.run();
    expect((await bench.task()).status).toBe('completed');
    for (const { request } of bench.model.calls) {
      const length = request.messages.reduce((sum, { content }) => sum + content.length, 0);
      expect(length / 4 + request.maxTokens).toBeLessThan(2_048);
    }
  });

  it('CTX-13, seed defect 13: reads a long file to its end, part by part', async () => {
    const bench = new EngineBench();
    bench.folder.put('long.txt', `${'filler sentence. '.repeat(2_400)}结论：批准 TL-204`);
    bench.model.script(({ matter }) => answer(matter.includes('TL-204') ? '批准 TL-204' : 'nothing'));
    await bench.createTask();
    await bench.run();
    const [step] = await bench.files();
    expect(step?.reading?.parts).toBeGreaterThan(1);
    expect(step?.excerpt).toContain('TL-204');
  });
});

describe('what must not cost twice', () => {
  it('RES-01, seed defect 15: equal contents are asked about once and both are in the report', async () => {
    const bench = new EngineBench();
    bench.folder.put('a.txt', 'the same words').put('b.txt', 'the same words').put('c.txt', 'other words');
    await bench.createTask();
    await bench.run();
    expect(bench.model.fileCalls).toHaveLength(2);
    expect((await bench.task()).counts).toMatchObject({ done: 2, reused: 1 });
    expect(await bench.report()).toContain('answer reused');
  });

  it('goes on after a kill in mid run without repeating a finished file', async () => {
    const bench = withFiles(12);
    await bench.createTask();
    const first = bench.newRun();
    const stuck = new Promise<never>(() => undefined);
    bench.model.script(({ matter }, nth) => (nth > 6 ? stuck : answer(matter)));
    void first.run({ retryFailed: false });
    while (bench.model.calls.length < 10) await settle();
    const finished = (await bench.files()).filter((step) => step.status === 'done').map((step) => step.key);
    expect(finished).toHaveLength(6);

    bench.model.script(({ matter }) => answer(matter));
    await bench.run();
    const task = await bench.task();
    expect(task.counts.done).toBe(12);
    expect(task.recovery).toMatchObject({ repeated: 0, settledBefore: 6, inFlight: 4 });
    for (let n = 0; n < 12; n += 1) {
      const isFinished = finished.includes(fileStepKey(`f_${String(n)}.txt`));
      expect(bench.model.askedAbout(`text number ${String(n)}`)).toBeLessThanOrEqual(isFinished ? 1 : 2);
    }
    expect(bench.model.fileCalls).toHaveLength(16);
  });

  it('tells what was in flight at a kill, also after an owner that waited for the folder in vain', async () => {
    const bench = withFiles(12);
    await bench.createTask();
    bench.model.script(({ matter }, nth) => (nth > 6 ? new Promise<never>(() => undefined) : answer(matter)));
    await new OwnerLife(bench).live(() => bench.model.calls.length >= 10);
    bench.model.script(({ matter }) => answer(matter));
    bench.folder.state = 'needs_permission';
    const waiting = new OwnerLife(bench);
    waiting.begin();
    await settle();
    expect(await bench.task()).toMatchObject({ status: 'paused', reason: 'permission', recovery: { inFlight: 4 } });
    waiting.die();
    bench.folder.state = 'ready';
    await new OwnerLife(bench).live();
    expect(await bench.task()).toMatchObject({
      status: 'completed',
      recovery: { repeated: 0, settledBefore: 6, inFlight: 4 },
    });
  });

  it('tells of no interruption when a finished task looks at its folder again', async () => {
    const bench = withFiles(2);
    await bench.createTask();
    await bench.run();
    bench.folder.put('late.txt', 'text that came late');
    await bench.run();
    expect(await bench.task()).toMatchObject({ status: 'completed', counts: { done: 3 }, recovery: null });
  });

  it('seed defect 25: a fenced owner stops and saves nothing more', async () => {
    const bench = withFiles(8);
    await bench.createTask();
    let release = () => undefined as void;
    const gate = new Promise<void>((resolve) => (release = resolve));
    bench.model.script(async ({ matter }) => {
      await gate;
      return answer(matter);
    });
    const late = bench.newRun().run({ retryFailed: false });
    while (bench.model.calls.length < 4) await settle();
    await bench.store.own(TASK, 0);
    release();
    expect(await bench.clock.run(late)).toMatchObject({ ok: false, failure: { code: 'fenced' } });
    expect((await bench.task()).counts.done).toBe(0);
  });

  it('RES-02: a skipped file costs nothing, however often the task goes on', async () => {
    const bench = withFiles(2);
    bench.folder.put('blank.txt', ' \n');
    await bench.createTask();
    await bench.run();
    const asked = bench.model.calls.length;
    await bench.run();
    await bench.run();
    expect(bench.model.calls).toHaveLength(asked);
    expect((await bench.files()).find((step) => step.file?.path === 'blank.txt')).toMatchObject({
      status: 'skipped',
      failure: { code: 'file_empty' },
    });
  });
});

describe('failures', () => {
  it('seed defect 1, RES-08: a failed file is listed as failed, and "retry failed" runs exactly it', async () => {
    const bench = withFiles(5);
    const broken = 'text number 1';
    bench.model.script(({ matter }) => (matter === broken ? fail(failure('request_rejected')) : answer(matter)));
    await bench.createTask();
    await bench.run();
    expect((await bench.task()).counts).toMatchObject({ done: 4, failed: 1 });
    expect(await bench.report()).toContain('failed');

    bench.model.script(({ matter }) => answer(matter));
    const before = bench.model.fileCalls.length;
    await bench.run({ retryFailed: true });
    expect(bench.model.fileCalls.length - before).toBe(1);
    expect((await bench.task()).counts).toMatchObject({ done: 5, failed: 0 });
  });

  it('seed defect 9: tries again with growing distance, at most five times', async () => {
    const bench = withFiles(1);
    bench.model.script(() => fail(failure('server_fault')));
    await bench.createTask();
    const startedMs = bench.clock.monotonicMs();
    await bench.run();
    expect(bench.model.calls).toHaveLength(5);
    expect(bench.clock.monotonicMs() - startedMs).toBeCloseTo(0.75 * (1_000 + 2_000 + 4_000 + 8_000), -2);
    expect(await bench.task()).toMatchObject({ status: 'failed', failure: { code: 'nothing_to_report' } });
  });

  it('seed defect 2: an outage parks the task, spends no attempt and ends by itself', async () => {
    const bench = withFiles(5);
    let isUp = false;
    bench.model.isReachable = () => (isUp ? ok() : fail(failure('endpoint_unreachable')));
    bench.model.script(({ matter }) => (isUp ? answer(matter) : fail(failure('endpoint_unreachable'))));
    await bench.createTask();
    const run = bench.newRun().run({ retryFailed: false });
    await bench.clock.advance(60_000);
    expect(await bench.task()).toMatchObject({ status: 'paused', reason: 'endpoint', counts: { failed: 0 } });
    isUp = true;
    await bench.clock.run(run);
    expect(await bench.task()).toMatchObject({ status: 'completed', counts: { done: 5, failed: 0 } });
    for (const step of await bench.files()) expect(step.attempts).toBe(1);
  });

  it('SSE-24: a rate limit holds new requests for as long as asked and counts as no attempt', async () => {
    const bench = withFiles(3);
    bench.model.script(({ matter }, nth) =>
      nth === 1 ? fail(failure('rate_limited', { retryAfterMs: 30_000 })) : answer(matter),
    );
    await bench.createTask({ concurrency: 1 });
    const run = bench.newRun().run({ retryFailed: false });
    await bench.clock.advance(10_000);
    const held = await bench.task();
    expect(held).toMatchObject({ status: 'running', hold: { code: 'rate_limited' } });
    expect(bench.model.calls, 'a file prepared ahead does not ask either').toHaveLength(1);
    await bench.clock.run(run);
    expect(bench.clock.monotonicMs()).toBeGreaterThanOrEqual(30_000);
    expect(await bench.task()).toMatchObject({ status: 'completed', hold: null });
  });

  it('CTX-01: an overflow teaches the limit, and the file is read in smaller parts', async () => {
    const bench = new EngineBench();
    bench.folder.put('long.txt', 'some words here '.repeat(1_500));
    bench.model.script(({ matter }) =>
      matter.length / 4 > 2_000
        ? fail(failure('context_overflow', { details: { usedTokens: 6_000, limitTokens: 2_048 } }))
        : answer('fine'),
    );
    await bench.createTask();
    await bench.run();
    expect(await bench.task()).toMatchObject({ status: 'completed', contextTokens: 2_048 });
    expect((await bench.files())[0]?.reading?.parts).toBeGreaterThan(3);
  });

  it('CTX-07: an answer to a prompt that the server cut is not taken: the limit is learned, the file read in smaller parts', async () => {
    const bench = new EngineBench();
    bench.folder.put('long.txt', 'some words here '.repeat(1_500)).put('b.txt', 'short');
    bench.model.script(({ matter }) => cutAt(2_048, matter));
    await bench.createTask();
    await bench.run();
    expect(await bench.task()).toMatchObject({ status: 'completed', contextTokens: 2_048 });
    const [, long] = await bench.files();
    expect(long).toMatchObject({ status: 'done', flags: { truncated: false } });
    expect(long?.flags.inputCut).toBeUndefined();
    expect(long?.history.map(({ code }) => code)).toEqual(['input_cut', null]);
    expect(long?.reading?.parts).toBeGreaterThan(3);
    expect(await bench.report()).not.toContain('input cut');
  });

  it('CTX-07: where every try was cut, the answer is kept with a mark, in the list, the report and the table, and never reused', async () => {
    const bench = new EngineBench();
    bench.folder.put('a.txt', 'same '.repeat(40)).put('b.txt', 'same '.repeat(40));
    bench.model.script(({ request, matter }) => (request.material.what === 'file' ? cutAt(1, matter) : answer('fine')));
    await bench.createTask({ concurrency: 1 });
    await bench.run();
    const files = await bench.files();
    expect(files.map(({ flags, attempts }) => [flags.inputCut, flags.reused, attempts])).toEqual([
      [true, false, 5],
      [true, false, 5],
    ]);
    expect(await bench.report()).toContain('input cut by the server');
    const [, table = ''] = [...bench.folder.written].find(([path]) => path.endsWith('results.csv')) ?? [];
    const [head, ...rows] = table.trim().split('\r\n');
    const column = head?.split(',').indexOf('input_cut') ?? -1;
    expect(rows.map((row) => row.split(',')[column])).toEqual(['yes', 'yes']);
  });

  it('CTX-01: a limit that one server taught is not that of another', async () => {
    const bench = new EngineBench();
    bench.folder.put('long.txt', 'some words here '.repeat(1_500));
    bench.model.script(({ matter }) => cutAt(1_024, matter));
    await bench.createTask();
    await bench.run();
    expect((await bench.files())[0]?.reading?.parts).toBeGreaterThan(6);
    bench.model.source = 'there';
    bench.model.contextTokens = 65_536;
    bench.model.script(() => answer('fine'));
    bench.folder.put('long.txt', 'other words here '.repeat(1_500));
    await bench.run();
    expect((await bench.files())[0]?.reading?.parts).toBe(1);
  });

  it('seed defect 21, SSE-12: an answer cut at the limit is kept with a mark and never reused', async () => {
    const bench = new EngineBench();
    bench.folder.put('a.txt', 'same').put('b.txt', 'same');
    bench.model.script(() => answer('half a sen', 'length'));
    await bench.createTask();
    await bench.run();
    const files = await bench.files();
    expect(files.map((step) => step.flags)).toEqual([
      { reused: false, truncated: true, guessedEncoding: false },
      { reused: false, truncated: true, guessedEncoding: false },
    ]);
    expect(await bench.report()).toContain('cut at the output limit');
  });
});

describe('a model that thinks aloud', () => {
  it('gets more room when it ran out before it said anything, and the file fails when that is not enough', async () => {
    const bench = withFiles(1);
    const enough = { tokens: 2_000 };
    bench.model.script(({ request }) =>
      request.maxTokens < enough.tokens ? fail(failure('output_truncated')) : answer('said at last'),
    );
    await bench.createTask();
    await bench.run();
    expect(await bench.task()).toMatchObject({ status: 'completed', contextTokens: null });
    expect((await bench.files())[0]).toMatchObject({ status: 'done', attempts: 1 });

    enough.tokens = 100_000;
    bench.folder.put('f_0.txt', 'another text');
    await bench.run();
    expect((await bench.files())[0]).toMatchObject({ status: 'failed', failure: { code: 'output_truncated' } });
  });
});

describe('the person', () => {
  it('RES-15, seed defect 10: pause ends a hanging request at once and keeps the item pending', async () => {
    const bench = withFiles(6);
    bench.model.script(() => new Promise<never>(() => undefined));
    await bench.createTask();
    const run = bench.newRun();
    const running = run.run({ retryFailed: false });
    while (bench.model.calls.length < 4) await settle();
    run.stop('pause');
    await bench.clock.run(running);
    expect(bench.clock.monotonicMs()).toBe(0);
    expect(await bench.task()).toMatchObject({ status: 'paused', reason: 'user', counts: { running: 0, failed: 0 } });
    for (const step of await bench.files()) expect(step).toMatchObject({ status: 'pending', attempts: 0 });
    bench.model.script(({ matter }) => answer(matter));
    await bench.run();
    expect((await bench.task()).counts.done).toBe(6);
  });

  it('pause ends a wait before a retry, and a parked task', async () => {
    for (const code of ['server_fault', 'endpoint_unreachable'] as const) {
      const bench = withFiles(1);
      bench.model.isReachable = () => fail(failure('endpoint_unreachable'));
      bench.model.script(() => fail(failure(code)));
      await bench.createTask();
      const run = bench.newRun();
      const running = run.run({ retryFailed: false });
      await bench.clock.advance(500);
      run.stop('pause');
      await running;
      expect(await bench.task()).toMatchObject({ status: 'paused', reason: 'user' });
    }
  });

  it('seed defect 33: changes concurrency in mid run', async () => {
    const bench = withFiles(12);
    const gates: (() => void)[] = [];
    bench.model.script(async ({ matter }) => {
      await new Promise<void>((resolve) => gates.push(resolve));
      return answer(matter);
    });
    await bench.createTask({ concurrency: 1 });
    const run = bench.newRun();
    void run.run({ retryFailed: false });
    while (gates.length < 1) await settle();
    await settle();
    expect(bench.model.inFlight).toBe(1);
    await run.resize(6);
    while (bench.model.inFlight < 6) await settle();
    await settle();
    expect(bench.model.inFlight).toBe(6);
    run.stop('cancel');
  });
});

describe('the folder in between', () => {
  it('seed defect 3: files inserted, deleted, renamed and changed while paused are each treated by path and content', async () => {
    const bench = withFiles(5);
    await bench.createTask();
    await bench.run();
    const before = bench.model.fileCalls.length;
    bench.folder.put('a_new.txt', 'a new text').remove('f_0.txt').rename('f_2.txt', 'moved/f_2.txt');
    bench.folder.put('f_3.txt', 'text number 3, changed');
    await bench.run();
    expect(
      bench.model.fileCalls
        .slice(before)
        .map(({ matter }) => matter)
        .sort(),
    ).toEqual(['a new text', 'text number 3, changed']);
    const task = await bench.task();
    expect(task.plan).toMatchObject({ added: 2, changed: 1, removed: 1, moved: 1, unchanged: 2 });
    expect(task.status).toBe('completed');
  });

  it('FSA-04: a file deleted before its turn is gone, once, and the others go on', async () => {
    const bench = withFiles(5);
    bench.model.script(({ matter }, nth) => {
      if (nth === 1) bench.folder.remove('f_4.txt');
      return answer(matter);
    });
    await bench.createTask({ concurrency: 1 });
    await bench.run();
    const gone = (await bench.files()).find((step) => step.file?.path === 'f_4.txt');
    expect(gone).toMatchObject({ status: 'skipped', failure: { code: 'file_gone' } });
    expect((await bench.task()).counts).toMatchObject({ done: 4, skipped: 1 });
  });

  it('FSA-06: a listing that comes back short marks nothing as gone', async () => {
    const bench = withFiles(6);
    await bench.createTask();
    await bench.run();
    bench.folder.unlisted.add('f_1.txt').add('f_2.txt').add('f_3.txt');
    await bench.run();
    expect((await bench.task()).plan.removed).toBe(0);
    expect((await bench.task()).counts.done).toBe(6);
  });

  it('FSA-02: a folder out of reach parks the task; it is never "0 files, completed"', async () => {
    const bench = withFiles(3);
    bench.folder.state = 'missing';
    await bench.createTask();
    const run = bench.newRun();
    const running = run.run({ retryFailed: false });
    await settle();
    expect(await bench.task()).toMatchObject({
      status: 'paused',
      reason: 'permission',
      failure: { code: 'folder_missing' },
    });
    bench.folder.state = 'ready';
    run.wake();
    await bench.clock.run(running);
    expect((await bench.task()).status).toBe('completed');
  });

  it('an empty folder asks for attention', async () => {
    const bench = new EngineBench();
    await bench.createTask();
    const run = bench.newRun();
    const running = run.run({ retryFailed: false });
    await settle();
    expect(await bench.task()).toMatchObject({
      status: 'paused',
      reason: 'attention',
      failure: { code: 'folder_empty' },
    });
    bench.folder.put('late.txt', 'here now');
    run.wake();
    await bench.clock.run(running);
    expect((await bench.task()).counts.done).toBe(1);
  });
});

/** A server that reads so many tokens of a longer prompt and says nothing of it. */
function cutAt(windowTokens: number, matter: string): Result<Completion> {
  const answered = answer(matter.slice(-40));
  if (!answered.ok || matter.length / 4 <= windowTokens) return answered;
  return ok({ ...answered.value, inputCut: { keptTokens: windowTokens, windowTokens } });
}
