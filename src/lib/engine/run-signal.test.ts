import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { EngineBench } from '../testing/engine-bench';

/** Of one step at one moment: the request, the wait for a permit or the gate, and the wait for an end of the run. */
const LISTENERS_OF_A_STEP = 3;
const MOST_AHEAD = 8;

it('a run listens to its end as often as steps are in hand, however many files it has', async () => {
  const bench = new EngineBench();
  for (let n = 0; n < 300; n += 1) bench.folder.put(`f_${String(n)}.txt`, `text number ${String(n)}`);
  const complete = bench.model.complete.bind(bench.model);
  let most = 0;
  bench.model.complete = (request, options) => {
    most = Math.max(most, getEventListeners(options.signal, 'abort').length);
    return complete(request, options);
  };
  await bench.createTask({ concurrency: 4 });
  await bench.run();
  expect(bench.model.fileCalls).toHaveLength(300);
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual((4 + MOST_AHEAD) * LISTENERS_OF_A_STEP);
});
