import { expect, it } from 'vitest';
import { EngineBench, TASK } from '../testing/engine-bench';
import { OwnerLife } from '../testing/owner-life';
import { answer } from '../testing/scripted-model';

/** A task of which one file is finished, ended while it asks about the next one. */
async function endedInTheSecond(): Promise<EngineBench> {
  const bench = new EngineBench();
  bench.folder.put('a.txt', 'one').put('b.txt', 'two');
  bench.model.script(async ({ matter }) => {
    await bench.clock.sleep(100);
    return answer(matter);
  });
  await bench.createTask({ concurrency: 1 });
  await new OwnerLife(bench).live(() => bench.model.calls.length >= 2);
  return bench;
}

async function lines(bench: EngineBench) {
  const found = await bench.store.activity(TASK, 100);
  return found.ok ? found.value : [];
}

it('says that the person ended the worker, and what that cost', async () => {
  const bench = await endedInTheSecond();
  const unpluggedMs = bench.clock.now();
  Object.assign(bench.ports, { endings: () => ({ leftMs: unpluggedMs, diedMs: null, unpluggedMs }) });
  await bench.run();
  const line = (await lines(bench)).find(({ what }) => what === 'unplugged');
  expect(line?.details).toMatchObject({ settled: 1, inFlight: 1 });
  expect((await lines(bench)).filter(({ what }) => what === 'taken_over')).toEqual([]);
});

it('says nothing of it when the worker ended by itself, long after one that was ended', async () => {
  const bench = await endedInTheSecond();
  const unpluggedMs = bench.clock.now() - 60_000;
  Object.assign(bench.ports, { endings: () => ({ leftMs: unpluggedMs, diedMs: null, unpluggedMs }) });
  await bench.run();
  const whats = (await lines(bench)).map(({ what }) => what);
  expect(whats).toContain('taken_over');
  expect(whats).not.toContain('unplugged');
});
