import { describe, expect, it } from 'vitest';
import { failure } from '../core/failure';
import type { ForkChanges } from '../core/fork-origin';
import { endpointId, fileStepKey, taskId, type ResultKey, type StepKey, type TaskId } from '../core/ids';
import { Past } from '../core/past';
import { fail, ok, type Result } from '../core/result';
import type { StepRow, StepType } from '../core/step';
import type { TaskRow } from '../core/task';
import { EngineBench, TASK } from '../testing/engine-bench';
import { settle } from '../testing/fake-clock';
import { answer } from '../testing/scripted-model';
import { fork } from './fork';
import { TaskRun } from './task-run';

function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.failure.code);
  return result.value;
}

const CHILD = taskId('fedcba987654');
const TYPES: readonly StepType[] = ['file', 'merge', 'part', 'section'];

async function parentOf(count: number, bench = new EngineBench()): Promise<EngineBench> {
  for (let n = 0; n < count; n += 1) bench.folder.put(`f_${String(n)}.txt`, `text number ${String(n)}`);
  await bench.createTask();
  await bench.run();
  return bench;
}

/** All that is stored of a task. */
async function everything({ store }: EngineBench, id: TaskId): Promise<string> {
  return JSON.stringify([
    valueOf(await store.task(id)),
    valueOf(await store.stepsSince(id, -1, 10_000)),
    valueOf(await store.checkpoints(id, null, 10_000)),
    valueOf(await store.activity(id, 10_000)),
  ]);
}

async function stepsOf({ store }: EngineBench, id: TaskId): Promise<readonly StepRow[]> {
  const pages = await Promise.all(TYPES.map((type) => store.stepsOfType(id, type, null, 10_000)));
  return pages.flatMap((page) => valueOf(page));
}

async function taskOf({ store }: EngineBench, id: TaskId): Promise<TaskRow> {
  const task = valueOf(await store.task(id));
  if (!task) throw new Error('no task');
  return task;
}

function makeFork(bench: EngineBench, seq: number, changes: ForkChanges = {}, id = CHILD) {
  return fork(bench.ports, { id, parent: TASK, seq, changes });
}

/** Forks and works to the end; resolves to the requests that it took. */
async function forkAndRun(bench: EngineBench, seq: number, changes: ForkChanges = {}, id = CHILD) {
  valueOf(await makeFork(bench, seq, changes, id));
  const before = bench.model.calls.length;
  expect(await bench.clock.run(new TaskRun(bench.ports, id).run({ retryFailed: false }))).toEqual(ok());
  return bench.model.calls.slice(before);
}

async function lastSeq(bench: EngineBench): Promise<number> {
  return (await bench.task()).seq;
}

/** The first checkpoint at which so many files are done. */
async function seqWithDone(bench: EngineBench, done: number): Promise<number> {
  const past = [...valueOf(await bench.store.checkpoints(TASK, null, 10_000))].reverse();
  const found = past.find(({ counts }) => counts.done >= done);
  if (!found) throw new Error('no such checkpoint');
  return found.seq;
}

describe('a fork with nothing changed', () => {
  it('asks nothing again, comes to the same report, and leaves its parent byte for byte alone', async () => {
    const bench = await parentOf(12);
    const before = await everything(bench, TASK);
    expect(await forkAndRun(bench, await lastSeq(bench))).toEqual([]);
    const child = await taskOf(bench, CHILD);
    expect(child).toMatchObject({ status: 'completed', name: 'Notes (fork)', requests: 0, epoch: 1 });
    expect(child.counts).toEqual((await bench.task()).counts);
    const report = valueOf(await bench.store.result(child.report ?? ('' as never)));
    expect(report?.output.replace('Notes \\(fork\\)', 'Notes')).toBe(await bench.report());
    expect(await everything(bench, TASK)).toBe(before);
  });

  it('asks again about the one file whose answer is damaged, and about no other', async () => {
    const bench = await parentOf(12);
    const { store } = bench;
    const step = valueOf(await store.step(TASK, fileStepKey('f_3.txt')));
    const { result, results } = { result: store.result.bind(store), results: store.results.bind(store) };
    let isDamaged = true;
    const damaged = (key: ResultKey) => isDamaged && key === step?.resultKey;
    store.result = async (key) => (damaged(key) ? fail(failure('row_unreadable')) : result(key));
    store.results = async (keys) => (keys.some(damaged) ? fail(failure('row_unreadable')) : results(keys));
    bench.model.script(({ matter }) => {
      isDamaged = false;
      return answer(`About: ${matter}`);
    });
    const asked = await forkAndRun(bench, await lastSeq(bench));
    expect(asked.map(({ matter }) => matter)).toEqual(['text number 3']);
    expect((await taskOf(bench, CHILD)).status).toBe('completed');
  });

  it('from the middle: what was done then stays done, the rest is done and finds its answers', async () => {
    const bench = await parentOf(12);
    const seq = await seqWithDone(bench, 5);
    const then = valueOf(await new Past(bench.store, TASK, seq).page('file', null, 99)).steps;
    const done = then.filter(({ status }) => status === 'done');
    expect(done.length).toBeLessThan(12);
    expect(await forkAndRun(bench, seq)).toEqual([]);
    expect((await taskOf(bench, CHILD)).counts).toMatchObject({
      planned: 12,
      done: done.length,
      reused: 12 - done.length,
    });
    for (const { taskId: _, seq: __, addedSeq: ___, ...row } of done) {
      expect(valueOf(await bench.store.step(CHILD, row.key))).toMatchObject(row);
    }
  });

  it('tries what had failed or was skipped again', async () => {
    const bench = new EngineBench();
    bench.folder.put('good.txt', 'good').put('bad.txt', 'bad').put('empty.txt', '');
    const refusal = answer('', 'content_filter');
    bench.model.script(({ matter }) => (matter === 'bad' ? refusal : answer('Fine.')));
    await bench.createTask();
    await bench.run();
    expect((await bench.task()).counts).toMatchObject({ done: 1, failed: 1, skipped: 1 });
    bench.model.script(({ matter }) => answer(`About ${matter}`));
    const asked = await forkAndRun(bench, await lastSeq(bench));
    expect(asked.filter(({ request }) => request.material.what === 'file').map(({ matter }) => matter)).toEqual([
      'bad',
    ]);
    expect((await taskOf(bench, CHILD)).counts).toMatchObject({ done: 2, failed: 0, skipped: 1 });
  });

  it('plans the folder again: a file that changed since is asked about, and no other', async () => {
    const bench = await parentOf(6);
    const seq = await lastSeq(bench);
    bench.folder.put('f_3.txt', 'another text').put('new.txt', 'a new text').remove('f_1.txt');
    const asked = await forkAndRun(bench, seq);
    const files = asked.filter(({ request }) => request.material.what === 'file');
    expect(files.map(({ matter }) => matter).sort()).toEqual(['a new text', 'another text']);
    expect((await taskOf(bench, CHILD)).counts).toMatchObject({ planned: 7, done: 6, skipped: 1 });
  });

  it('in words that only differ in the spaces around them is one with nothing changed', async () => {
    const bench = new EngineBench();
    bench.folder.put('a.txt', 'text');
    bench.model.script(() => answer('Cut', 'length'));
    await bench.createTask({ instructions: 'In one sentence.' });
    await bench.run();
    expect(await forkAndRun(bench, await lastSeq(bench), { instructions: ' In one sentence.\n' })).toEqual([]);
  });

  it('begins before anything was planned just as well', async () => {
    const bench = await parentOf(3);
    const first = valueOf(await bench.store.checkpoints(TASK, null, 10_000)).at(-1);
    expect(await forkAndRun(bench, first?.seq ?? -1)).toEqual([]);
    expect((await taskOf(bench, CHILD)).counts).toMatchObject({ planned: 3, reused: 3 });
  });
});

describe('a fork with something changed', () => {
  it('asks again exactly about the steps whose input hash is another', async () => {
    const bench = await parentOf(9);
    const seq = await lastSeq(bench);
    const asked = await forkAndRun(bench, seq, { instructions: 'In one sentence.' });
    const parent = await stepsOf(bench, TASK);
    const child = await stepsOf(bench, CHILD);
    const had = new Set(parent.map(({ inputHash }) => inputHash));
    const others = child.filter(({ inputHash }) => !had.has(inputHash));
    expect(asked).toHaveLength(others.length);
    expect(asked.filter(({ request }) => request.material.what === 'file')).toHaveLength(9);
    for (const { request } of asked) expect(JSON.stringify(request.messages)).toContain('In one sentence.');
    // Changed back, every answer is there already.
    expect(await forkAndRun(bench, seq, { instructions: '' }, taskId('third'))).toEqual([]);
  });

  it('on another endpoint that is the same model asks nothing, and keeps even what was cut', async () => {
    const bench = new EngineBench();
    bench.folder.put('cut.txt', 'cut').put('whole.txt', 'whole');
    bench.model.script(({ matter, request }) =>
      request.material.what === 'file' && matter === 'cut' ? answer('Half an', 'length') : answer('Whole.'),
    );
    await bench.createTask();
    await bench.run();
    const changes = { endpointId: endpointId('endpoint-2') };
    expect(await forkAndRun(bench, await lastSeq(bench), changes)).toEqual([]);
    const cut = valueOf(await bench.store.step(CHILD, fileStepKey('cut.txt')));
    expect(cut).toMatchObject({ status: 'done', excerpt: 'Half an', flags: { truncated: true, reused: true } });
  });

  it('keeps the cut pieces of a long file for as long as they would be asked for in the same words', async () => {
    const bench = new EngineBench();
    bench.folder.put('long.txt', 'filler sentence. '.repeat(2_400));
    bench.model.script(({ request }) =>
      request.material.what === 'part' ? answer('Half an', 'length') : answer('All.'),
    );
    await bench.createTask();
    await bench.run();
    expect(await forkAndRun(bench, await lastSeq(bench), { endpointId: endpointId('endpoint-2') })).toEqual([]);
    const again = await forkAndRun(bench, await lastSeq(bench), { instructions: 'Briefly.' }, taskId('third'));
    expect(again.length).toBeGreaterThan(1);
  });

  it('with another model asks about everything', async () => {
    const bench = await parentOf(4);
    const count = bench.model.calls.length;
    bench.model.identity = 'openai/another';
    const asked = await forkAndRun(bench, await lastSeq(bench), { endpointId: endpointId('endpoint-2') });
    expect(asked).toHaveLength(count);
  });
});

describe('a fork whose making is cut off', () => {
  it('is nothing or becomes whole, wherever it was killed', async () => {
    const bench = await parentOf(230);
    const parent = await everything(bench, TASK);
    const seq = await lastSeq(bench);
    const whole = await shapeOf(bench, seq, taskId('undisturbed'), Infinity);
    for (let commits = 1; commits <= 8; commits += 1) {
      const id = taskId(`killed-${String(commits)}`);
      expect(await shapeOf(bench, seq, id, commits)).toEqual(whole);
    }
    expect(await everything(bench, TASK)).toBe(parent);
  });

  it('goes on with what it has when its parent is gone', async () => {
    const bench = await parentOf(5);
    valueOf(await makeFork(bench, await lastSeq(bench)));
    valueOf(await bench.store.removeTask(TASK));
    expect(await bench.clock.run(new TaskRun(bench.ports, CHILD).run({ retryFailed: false }))).toEqual(ok());
    expect((await taskOf(bench, CHILD)).counts).toMatchObject({ planned: 5, done: 5 });
  });

  it('has no past of its own before it is whole, and one to fork from after', async () => {
    const bench = await parentOf(120);
    await forkAndRun(bench, await lastSeq(bench));
    const past = [...valueOf(await bench.store.checkpoints(CHILD, null, 10_000))].reverse();
    const first = past[0];
    expect(first?.counts).toMatchObject({ planned: 120, done: 120 });
    const grandchild = taskId('grandchild');
    const made = await fork(bench.ports, { id: grandchild, parent: CHILD, seq: first?.seq ?? -1 });
    expect(made.ok).toBe(true);
    const before = bench.model.calls.length;
    await bench.clock.run(new TaskRun(bench.ports, grandchild).run({ retryFailed: false }));
    expect(bench.model.calls).toHaveLength(before);
    expect((await taskOf(bench, grandchild)).status).toBe('completed');
    const tooEarly = await fork(bench.ports, { id: taskId('none'), parent: CHILD, seq: (first?.seq ?? 0) - 1 });
    expect(tooEarly).toMatchObject({ ok: false, failure: { code: 'checkpoint_missing' } });
  });
});

describe('a fork', () => {
  it('of a task at work has what that had then, whatever it does meanwhile', async () => {
    const bench = new EngineBench();
    for (let n = 0; n < 8; n += 1) bench.folder.put(`f_${String(n)}.txt`, `text number ${String(n)}`);
    const held: (() => void)[] = [];
    bench.model.script(({ matter }) => {
      const told = answer(`About: ${matter}`);
      return bench.model.calls.length <= 4 ? told : new Promise((resolve) => held.push(() => resolve(told)));
    });
    await bench.createTask();
    const running = bench.newRun().run({ retryFailed: false });
    await settle();
    const seq = await lastSeq(bench);
    valueOf(await makeFork(bench, seq));
    bench.model.script(({ matter }) => answer(`About: ${matter}`));
    held.forEach((letGo) => letGo());
    await bench.clock.run(running);
    const before = bench.model.calls.length;
    await bench.clock.run(new TaskRun(bench.ports, CHILD).run({ retryFailed: false }));
    expect(bench.model.calls).toHaveLength(before);
    expect((await taskOf(bench, CHILD)).counts).toMatchObject({ done: 4, reused: 4 });
  });

  it('keeps its results when its parent is deleted', async () => {
    const bench = await parentOf(6);
    await forkAndRun(bench, await lastSeq(bench));
    valueOf(await bench.store.removeTask(TASK));
    const keys = (await stepsOf(bench, CHILD)).flatMap(({ resultKey }) => resultKey ?? []);
    expect(keys.length).toBeGreaterThan(6);
    for (const row of valueOf(await bench.store.results(keys))) expect(row?.output).toBeTruthy();
  });

  it('of a task, a point or a folder that is not there is refused', async () => {
    const bench = await parentOf(2);
    const code = async (request: Parameters<typeof fork>[1]) => {
      const made = await fork(bench.ports, request);
      return made.ok ? 'ok' : made.failure.code;
    };
    const seq = await lastSeq(bench);
    expect(await code({ id: CHILD, parent: taskId('none'), seq })).toBe('task_missing');
    expect(await code({ id: CHILD, parent: TASK, seq: seq + 1 })).toBe('checkpoint_missing');
    expect(await code({ id: CHILD, parent: TASK, seq: -1 })).toBe('checkpoint_missing');
    expect(await code({ id: CHILD, parent: TASK, seq })).toBe('ok');
    expect(await code({ id: taskId('of-unwhole'), parent: CHILD, seq: 0 })).toBe('checkpoint_missing');
  });
});

interface Shape {
  readonly counts: TaskRow['counts'];
  readonly steps: readonly (readonly [StepKey, string, string | null])[];
}

/** What a fork is when it is whole, its owner having died after so many of its commits. */
async function shapeOf(bench: EngineBench, seq: number, id: TaskId, commits: number): Promise<Shape> {
  valueOf(await makeFork(bench, seq, {}, id));
  const before = bench.model.calls.length;
  let left = commits;
  const dying = new TaskRun(
    {
      ...bench.ports,
      faults: {
        reach: (point) => (point === 'after-commit' && (left -= 1) < 0 ? new Promise(() => undefined) : undefined),
      },
    },
    id,
  );
  if (commits < Infinity) {
    void dying.run({ retryFailed: false });
    await settle();
  }
  await bench.clock.run(new TaskRun(bench.ports, id).run({ retryFailed: false }));
  expect(bench.model.calls).toHaveLength(before);
  const { counts, status } = await taskOf(bench, id);
  expect(status).toBe('completed');
  const steps = (await stepsOf(bench, id)).map(({ key, status: state, resultKey }) => [key, state, resultKey] as const);
  return { counts, steps };
}
