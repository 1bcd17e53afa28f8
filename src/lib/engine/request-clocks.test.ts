import { describe, expect, it } from 'vitest';
import { failure } from '../core/failure';
import { fail } from '../core/result';
import { EngineBench } from '../testing/engine-bench';
import { OwnerLife } from '../testing/owner-life';
import { answer } from '../testing/scripted-model';

function withFile(): EngineBench {
  const bench = new EngineBench();
  bench.folder.put('a.txt', 'one text');
  return bench;
}

describe('B5: a request that ran out of a clock', () => {
  it('tells the next try which one and how often', async () => {
    const bench = withFile();
    const codes = ['first_token_timeout', 'request_timeout', 'connect_timeout', 'idle_timeout'] as const;
    bench.model.script(({ matter }, nth) => {
      const code = codes[nth - 1];
      return code ? fail(failure(code)) : answer(matter);
    });
    await bench.createTask();
    await bench.run();
    expect(bench.model.fileCalls.map(({ earlier }) => [earlier.firstToken, earlier.whole])).toEqual([
      [0, 0],
      [1, 0],
      [1, 1],
      [2, 1],
      [2, 1],
    ]);
    expect(await bench.task()).toMatchObject({ status: 'completed', counts: { done: 1 } });
  });

  it('tells also a try by another owner', async () => {
    const bench = withFile();
    bench.model.script(({ matter }, nth) => (nth === 1 ? fail(failure('first_token_timeout')) : answer(matter)));
    await bench.createTask();
    await new OwnerLife(bench).live(() => bench.model.calls.length === 1 && bench.model.inFlight === 0);
    await bench.run();
    expect(bench.model.fileCalls.at(-1)?.earlier.firstToken).toBe(1);
  });
});

describe('LIF-03: a request that the machine slept through', () => {
  it('is asked again and costs no try', async () => {
    const bench = withFile();
    const interruptions = 8;
    bench.model.script(({ matter }, nth) =>
      nth <= interruptions ? fail(failure('sleep_interrupted')) : answer(matter),
    );
    await bench.createTask();
    await bench.run();
    expect(bench.model.fileCalls).toHaveLength(interruptions + 1);
    expect(await bench.task()).toMatchObject({ status: 'completed', counts: { done: 1, failed: 0 } });
    expect(await bench.files()).toMatchObject([{ attempts: 1 }]);
  });
});
