import { describe, expect, it } from 'vitest';
import { ok } from '../core/result';
import { EngineBench, TASK } from '../testing/engine-bench';
import { settle } from '../testing/fake-clock';
import { answer } from '../testing/scripted-model';

function withFiles(count: number): EngineBench {
  const bench = new EngineBench();
  for (let n = 0; n < count; n += 1) bench.folder.put(`f_${String(n)}.txt`, `text number ${String(n)}`);
  return bench;
}

async function stopAfter(bench: EngineBench, calls: number) {
  const run = bench.newRun();
  bench.model.script(({ matter }, nth) => {
    if (nth >= calls) run.stop('pause');
    return answer(matter);
  });
  await bench.clock.run(run.run({ retryFailed: false }));
  bench.model.script(({ matter }) => answer(matter));
}

describe('the plan beside the work', () => {
  it('a file that is gone is counted once, whoever finds out first', async () => {
    const bench = withFiles(12);
    await bench.createTask({ concurrency: 1 });
    await stopAfter(bench, 2);
    bench.folder.remove('f_8.txt').remove('f_9.txt');
    let release = () => undefined as void;
    const gate = new Promise<void>((resolve) => (release = resolve));
    bench.model.script(async ({ matter }) => {
      await gate;
      return answer(matter);
    });
    const commit = bench.store.commit.bind(bench.store);
    bench.store.commit = async (each) => {
      if (each.task.plan?.state === 'done') {
        // The plan knows that they are missing, and has not said so yet, when the work comes to them.
        release();
        for (let turn = 0; turn < 20; turn += 1) await settle();
      }
      return commit(each);
    };
    await bench.run();
    const { counts } = await bench.task();
    expect(counts).toEqual({ planned: 12, running: 0, done: 10, reused: 0, failed: 0, skipped: 2 });
  });

  it('a finished file that is gone is skipped by the plan', async () => {
    const bench = withFiles(3);
    await bench.createTask();
    await bench.run();
    bench.folder.remove('f_1.txt');
    await bench.run();
    expect(await bench.task()).toMatchObject({ plan: { removed: 1, unchanged: 2 }, counts: { done: 2, skipped: 1 } });
  });

  it('a file that came back is done again, from the stored answer', async () => {
    const bench = withFiles(3);
    await bench.createTask();
    await bench.run();
    bench.folder.remove('f_1.txt');
    await bench.run();
    const asked = bench.model.fileCalls.length;
    bench.folder.put('f_1.txt', 'text number 1');
    await bench.run();
    expect(bench.model.fileCalls).toHaveLength(asked);
    expect((await bench.task()).counts).toMatchObject({ planned: 3, done: 2, reused: 1, skipped: 0 });
  });

  it('work begins before the walk has ended', async () => {
    const bench = withFiles(600);
    let begun = 0;
    bench.model.script(({ matter }) => {
      begun ||= bench.model.calls.length;
      return answer(matter);
    });
    await bench.createTask();
    const seen: number[] = [];
    const commit = bench.store.commit.bind(bench.store);
    bench.store.commit = (each) => {
      if (each.task.plan?.state === 'done') seen.push(begun);
      return commit(each);
    };
    await bench.run();
    expect(seen).toEqual([1]);
    expect((await bench.task()).plan).toMatchObject({ state: 'done', seen: 600, added: 600 });
  });

  it('the first question of an owner goes out before it walks the folder, and every file is seen all the same', async () => {
    const bench = withFiles(8);
    await bench.createTask({ concurrency: 1 });
    const first = bench.newRun();
    bench.model.script(({ matter }, nth) => {
      if (nth === 3) first.stop('pause');
      return answer(matter);
    });
    await bench.clock.run(first.run({ retryFailed: false }));
    expect(await bench.task()).toMatchObject({ status: 'paused' });
    const moments: string[] = [];
    const walk = bench.folder.walk.bind(bench.folder);
    bench.folder.walk = (signal) => {
      moments.push('walks');
      return walk(signal);
    };
    bench.model.script(({ matter }) => {
      moments.push('asks');
      return answer(matter);
    });
    bench.folder.put('late.txt', 'text that came late');
    await bench.run();
    expect(moments.slice(0, 2)).toEqual(['asks', 'walks']);
    expect((await bench.task()).counts).toMatchObject({ planned: 9, done: 9 });
  });

  it('what the globs leave out is no file of the task', async () => {
    const bench = withFiles(4);
    bench.verdict = (path) => (path === 'f_2.txt' ? 'excluded' : null);
    await bench.createTask();
    expect(await bench.run()).toEqual(ok());
    expect((await bench.files()).map(({ key }) => key)).not.toContain('file/f_2.txt');
    expect((await bench.store.task(TASK)).ok).toBe(true);
  });
});
