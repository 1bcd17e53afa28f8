import { expect, it } from 'vitest';
import { EngineBench } from '../testing/engine-bench';
import { settle } from '../testing/fake-clock';

it('a deadline that passes while the output is being written does not keep the worker busy', async () => {
  const bench = new EngineBench();
  bench.folder.put('a.txt', 'a text');
  await bench.createTask({ deadlineHours: 0.1 });
  const write = bench.folder.write.bind(bench.folder);
  let release = () => undefined as void;
  const gate = new Promise<void>((resolve) => (release = resolve));
  const now = { isWriting: false };
  bench.folder.write = async (path, content) => {
    now.isWriting = true;
    await gate;
    return write(path, content);
  };
  const ended = bench.newRun().run({ retryFailed: false });
  while (!now.isWriting) await settle();
  // Thousands of results take longer than what was left of the deadline.
  for (let passedMs = 0; passedMs < 7 * 60_000; passedMs += 10_000) {
    bench.clock.freeze(10_000);
    await settle();
  }
  const sleep = bench.clock.sleep.bind(bench.clock);
  let sleeps = 0;
  bench.clock.sleep = (delayMs, signal) => {
    if (delayMs === 0) sleeps += 1;
    return sleep(delayMs, signal);
  };
  for (let turn = 0; turn < 100; turn += 1) {
    bench.clock.step();
    await settle();
  }
  release();
  await bench.clock.run(ended);
  expect(sleeps).toBeLessThan(5);
});
