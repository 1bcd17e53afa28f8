import { expect, it } from 'vitest';
import { EngineBench, TASK } from '../testing/engine-bench';
import { settle } from '../testing/fake-clock';
import { OwnerLife } from '../testing/owner-life';

const REPORT = 'notes-012345/report.md';

/** The tab is frozen between the last look at the file and its writing; hours later it is thawed. */
it('a writer that was frozen does not write over what a person has saved meanwhile', async () => {
  const bench = new EngineBench();
  bench.folder.put('a.txt', 'a text');
  await bench.createTask();
  const frozen = new OwnerLife(bench);
  const look = bench.folder.readOutput.bind(bench.folder);
  let looks = 0;
  bench.folder.readOutput = async (path) => {
    // The second look at the report is the one right before it is written.
    if (path === REPORT && (looks += 1) === 2) frozen.freeze();
    return look(path);
  };
  frozen.begin();
  for (let turn = 0; turn < 300 && looks < 2; turn += 1) {
    await settle();
    bench.clock.step();
  }
  expect(looks).toBe(2);
  // Another tab steals the task and writes what was left due.
  await new OwnerLife(bench).liveToWrite();
  const report = await bench.report();
  expect(bench.folder.written.get(REPORT)).toBe(report);
  const found = await bench.store.effectsInState(TASK, 'intended', 9);
  expect(found.ok && found.value).toEqual([]);
  bench.folder.written.set(REPORT, 'edited by the person');
  frozen.thaw();
  await bench.clock.advance(60_000);
  expect(bench.folder.written.get(REPORT)).toBe('edited by the person');
});
