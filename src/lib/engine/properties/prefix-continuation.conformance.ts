/** Prefix continuation: whatever ends an owner, what is on the disk is a whole prefix of what it did, and work goes on from there. */
import { describe, expect, it } from 'vitest';
import { NO_FAULTS } from '../../core/fault-points';
import { Prefixes } from '../../testing/prefixes';
import type { PropertyCase } from '../../testing/property-case';
import { PropertyWorld, undisturbed } from '../../testing/property-world';
import { withoutOwner, type TaskRows } from '../../testing/task-rows';

type Moment = 'before' | 'during' | 'after';

export function prefixContinuation({ disk, job, pick }: PropertyCase): void {
  describe(`prefix continuation: ${job.name}, ${disk.name}`, () => {
    it.each<Moment>(['before', 'during', 'after'])('an owner that dies %s a commit', async (moment) => {
      const { outcome, asked, timesPassed } = await undisturbed(job);
      for (const nth of pick(timesPassed('before-commit'))) {
        const world = await PropertyWorld.make(disk, job);
        const prefixes = new Prefixes();
        world.bench.store = await prefixes.watch(world.store);
        expect(await dieAt(world, prefixes, moment, nth), `commit ${String(nth)}`).toBe(true);
        const found = await world.rows();
        const expected = prefixes.bySeq.get(found.task.seq);
        expect(withoutOwner(found)).toEqual(expected && withoutOwner(expected));
        expect(found.task.seq).toBeGreaterThanOrEqual(prefixes.acknowledged);
        expect(found.task.seq).toBeLessThanOrEqual(prefixes.acknowledged + 1);
        await world.restart();
        expect(withoutOwner(await world.rows())).toEqual(withoutOwner(found));
        expect(await world.liveUntil()).toBe(false);
        expect(await world.outcome()).toEqual(outcome);
        expect([...world.asked.keys()].sort()).toEqual([...asked.keys()].sort());
        expect(world.askedInVain).toEqual([]);
        await expectContinued(found, world);
      }
    });
  });
}

function dieAt(world: PropertyWorld, prefixes: Prefixes, moment: Moment, nth: number): Promise<boolean> {
  if (moment !== 'during') return world.liveUntil({ point: `${moment}-commit`, nth });
  return world.live((life) => {
    let sent = 0;
    prefixes.onSent = () => {
      sent += 1;
      if (sent === nth) life.die();
    };
    return NO_FAULTS;
  });
}

/** What was finished before is what is there in the end: the same answer, by the same row. */
async function expectContinued(before: TaskRows, world: PropertyWorld): Promise<void> {
  const after = await world.rows();
  const now = new Map(after.steps.map((step) => [step.key, step]));
  for (const step of before.steps) if (step.status === 'done') expect(now.get(step.key)).toEqual(step);
  expect(after.activity.slice(-before.activity.length || after.activity.length)).toEqual(before.activity);
}
