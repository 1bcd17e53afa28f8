import { describe, expect, it } from 'vitest';
import { failure } from '../core/failure';
import type { Model } from '../core/ports';
import { fail, ok, type Result } from '../core/result';
import { EngineBench } from '../testing/engine-bench';
import { nextTurns } from '../testing/next-turns';
import { answer, ScriptedModel } from '../testing/scripted-model';

/** Files that need a merge where the context is the default, and none where it is the model's. */
function benchWithBigContext() {
  const bench = new EngineBench();
  for (let n = 0; n < 6; n += 1) bench.folder.put(`${n}.txt`, `text ${n}`);
  bench.model.contextTokens = 65_536;
  bench.model.script(({ request }) => answer('word '.repeat(request.material.what === 'file' ? 600 : 10)));
  return bench;
}

describe('what is known of the model while its endpoint is looked at anew', () => {
  it('is what the report is planned with when storage refuses in the middle of the plan', async () => {
    const plain = benchWithBigContext();
    await plain.createTask();
    await plain.run();
    const bench = benchWithBigContext();
    await bench.createTask();
    const { store } = bench;
    const read = store.stepsOfType.bind(store);
    let refusals = 1;
    store.stepsOfType = (id, type, after, limit) => {
      // Only the report's plan looks at merges and has nothing else to ask.
      const isPlan = type === 'merge' && limit === 500 && refusals > 0;
      if (!isPlan) return read(id, type, after, limit);
      refusals -= 1;
      return Promise.resolve(fail(failure('storage_unavailable')));
    };
    await bench.run();
    expect(refusals).toBe(0);
    expect(bench.model.calls.length).toBe(plain.model.calls.length);
    expect(await bench.report()).toBe(await plain.report());
  });

  it('tells how far the server is from what it said that it takes, whoever looked at the page meanwhile', async () => {
    const bench = new EngineBench();
    bench.folder.put('a.txt', 'word '.repeat(4_000));
    bench.model.contextTokens = 32_768;
    await bench.createTask();
    const run = bench.newRun();
    let refusals = 0;
    bench.model.script(() => {
      refusals += 1;
      if (refusals > 1) return answer('Said.');
      run.wake();
      return fail(failure('context_overflow', { details: { limitTokens: 16_000 } }));
    });
    await bench.clock.run(run.run({ retryFailed: false }));
    expect((await bench.task()).contextTokens).toBe(16_000);
  });

  it('is asked for again when the endpoint was changed while it was being opened', async () => {
    const bench = new EngineBench();
    bench.folder.put('a.txt', 'text');
    const changed = new ScriptedModel();
    let current: Model = bench.model;
    let release = () => undefined as void;
    let opens = 0;
    bench.ports.models.open = async (): Promise<Result<Model>> => {
      opens += 1;
      const read = current;
      if (opens === 1) await new Promise<void>((resolve) => (release = resolve));
      return ok(read);
    };
    await bench.createTask();
    const run = bench.newRun();
    const ended = run.run({ retryFailed: false });
    while (opens === 0) {
      await nextTurns();
      bench.clock.step();
    }
    current = changed;
    run.wake();
    release();
    await bench.clock.run(ended);
    expect([bench.model.calls.length, changed.fileCalls.length]).toEqual([0, 1]);
  });
});
