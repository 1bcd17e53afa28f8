/** Recovery determinism: however often and wherever a task is interrupted, the same report comes out, byte for byte. */
import { describe, expect, it } from 'vitest';
import { FAULT_POINTS, NO_FAULTS } from '../../core/fault-points';
import type { PropertyCase } from '../../testing/property-case';
import { PropertyWorld, undisturbed } from '../../testing/property-world';

export function recoveryDeterminism({ disk, job, pick }: PropertyCase): void {
  describe(`recovery determinism: ${job.name}, ${disk.name}`, () => {
    it('everything in memory is forgotten after every commit', async () => {
      const { outcome, asked } = await undisturbed(job);
      const world = await PropertyWorld.make(disk, job);
      const lives = await world.replayAlways();
      expect(lives).toBeGreaterThan(asked.size / 2);
      expect(await world.outcome()).toEqual(outcome);
      expect([...world.asked.keys()].sort()).toEqual([...asked.keys()].sort());
      expect(world.askedInVain).toEqual([]);
    });

    it.each(FAULT_POINTS)('an owner that dies at %s', async (point) => {
      const { outcome, timesPassed, askedAgain } = await undisturbed(job);
      for (const nth of pick(timesPassed(point))) {
        const world = await PropertyWorld.make(disk, job);
        expect(await world.liveUntil({ point, nth })).toBe(true);
        expect(await world.liveUntil()).toBe(false);
        expect(await world.outcome()).toEqual(outcome);
        expect(world.askedInVain).toEqual([]);
        expect(world.askedAgain - askedAgain).toBeLessThanOrEqual(world.concurrency);
      }
    });

    it.each(FAULT_POINTS)('a defect that shows once, at %s, after "retry failed"', async (point) => {
      const { outcome, timesPassed } = await undisturbed(job);
      for (const nth of pick(timesPassed(point))) {
        const world = await PropertyWorld.make(disk, job);
        expect((await world.liveWithDefect({ point, nth })).hasHappened).toBe(true);
        await world.live(() => NO_FAULTS, true);
        expect(await world.outcome()).toEqual(outcome);
        expect(world.askedInVain).toEqual([]);
      }
    });
  });
}
