import { describe, expect, it } from 'vitest';
import { FAULT_POINTS, InjectedFault, type FaultPoint } from '../core/fault-points';
import { EngineBench } from '../testing/engine-bench';
import { FaultScript } from '../testing/fault-script';
import { answer } from '../testing/scripted-model';

const EFFECTS: readonly FaultPoint[] = ['after-intent', 'after-effect', 'before-done'];
const POINTS = FAULT_POINTS.filter((point) => !EFFECTS.includes(point));
const FILES = 5;

function benchWith(faults: FaultScript): EngineBench {
  const bench = new EngineBench({ faults });
  for (let n = 0; n < FILES; n += 1) bench.folder.put(`f_${String(n)}.txt`, `text number ${String(n)}`);
  bench.model.script(({ matter }) => answer(`About: ${matter.slice(0, 60)}`));
  return bench;
}

async function undisturbedReport(): Promise<string> {
  const bench = benchWith(new FaultScript('after-own', () => undefined));
  await bench.createTask({ concurrency: 2 });
  await bench.run();
  return bench.report();
}

describe('a defect', () => {
  it.each(POINTS)('at %s loses nothing that was finished, and the task can go on', async (point) => {
    const faults = new FaultScript(point, () => {
      throw new InjectedFault(point);
    });
    const bench = benchWith(faults);
    await bench.createTask({ concurrency: 2 });
    await bench.run();
    expect(faults.hasHappened, point).toBe(true);
    const after = await bench.task();
    expect(['paused', 'completed']).toContain(after.status);
    expect(after.counts.running).toBe(0);
    if (after.status === 'paused')
      expect(after).toMatchObject({ reason: 'attention', failure: { code: 'unexpected' } });
    else expect(after.counts).toMatchObject({ done: FILES - 1, failed: 1 });
    const answered = bench.model.calls.length;
    await bench.run({ retryFailed: true });
    expect(await bench.task()).toMatchObject({ status: 'completed', counts: { done: FILES, failed: 0, running: 0 } });
    expect(await bench.report()).toBe(await undisturbedReport());
    // What was in hand, the sections, and no more than that.
    expect(bench.model.calls.length - answered).toBeLessThanOrEqual(FILES + 4);
    for (let n = 0; n < FILES; n += 1)
      expect(bench.model.askedAbout(`text number ${String(n)}`)).toBeLessThanOrEqual(2);
  });
});

it('are passed in the order in which they are listed, as far as a task comes', async () => {
  const faults = new FaultScript('after-own', () => undefined);
  const bench = benchWith(faults);
  await bench.createTask({ concurrency: 1 });
  await bench.run();
  const first = POINTS.map((point) => faults.passed.indexOf(point));
  expect(first).not.toContain(-1);
  expect(faults.passed.at(0)).toBe('after-own');
  const inOneStep = ['before-request', 'mid-stream', 'after-response'] as const;
  for (const point of inOneStep) expect(faults.timesPassed(point)).toBe(FILES + 4);
  expect(faults.timesPassed('before-commit')).toBe(faults.timesPassed('after-commit'));
  const ofReport = ['mid-reduce', 'before-report', 'after-report'] as const;
  for (const point of ofReport) expect(faults.timesPassed(point)).toBe(1);
});
