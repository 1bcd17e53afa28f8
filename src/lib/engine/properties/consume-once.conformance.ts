/** Consume-once: one owner works on a task at a time, and every answer is taken once, whoever asked for it. */
import { describe, expect, it } from 'vitest';
import { NO_FAULTS } from '../../core/fault-points';
import { FakeTabs, supervisorIn } from '../../testing/fake-tabs';
import { OwnerLife } from '../../testing/owner-life';
import type { PropertyCase } from '../../testing/property-case';
import { PropertyWorld, undisturbed } from '../../testing/property-world';

const TABS = 8;

export function consumeOnce({ disk, job, pick }: PropertyCase): void {
  describe(`consume-once: ${job.name}, ${disk.name}`, () => {
    it('eight tabs that start at once after a crash are one owner', async () => {
      const { outcome, asked, askedAgain } = await undisturbed(job);
      const world = await PropertyWorld.make(disk, job);
      await world.liveUntil({ point: 'before-request', nth: 3 });
      const { epoch } = (await world.rows()).task;
      const tabs = new FakeTabs();
      const supervisors = Array.from({ length: TABS }, () => {
        return supervisorIn(tabs.open(), { ...world.bench.ports, store: world.openStore() });
      });
      await Promise.all(supervisors.map((supervisor) => supervisor.watch()));
      for (;;) {
        const { status, output } = (await world.rows()).task;
        if (status === 'completed' && output === 'written') break;
        await world.bench.letTimePass();
      }
      await world.bench.settle();
      const { task } = await world.rows();
      expect(task.epoch).toBe(epoch + 1);
      expect(await world.outcome()).toEqual(outcome);
      expect([...world.asked.keys()].sort()).toEqual([...asked.keys()].sort());
      expect(world.askedAgain - askedAgain).toBeLessThanOrEqual(world.concurrency);
    });

    it('an owner that was frozen and wakes up behind the next one changes nothing', async () => {
      const { outcome } = await undisturbed(job);
      const world = await PropertyWorld.make(disk, job);
      const frozen = new OwnerLife(world.bench);
      frozen.begin();
      while (world.bench.model.calls.length < 4) {
        await world.bench.letTimePass();
      }
      frozen.freeze();
      await world.bench.settle();
      world.bench.store = world.openStore();
      expect(await world.liveUntil()).toBe(false);
      const before = await world.rows();
      const written = { ...(await world.outcome()).output };
      frozen.thaw();
      while (!frozen.hasEnded) {
        await world.bench.letTimePass();
      }
      expect(frozen.refusal).toBe('fenced');
      expect(await world.rows()).toEqual(before);
      expect((await world.outcome()).output).toEqual(written);
      expect(await world.outcome()).toEqual(outcome);
    });

    it('what was paid for is counted once, also by an owner that died of it', async () => {
      const { timesPassed } = await undisturbed(job);
      for (const nth of pick(timesPassed('after-commit'))) {
        const world = await PropertyWorld.make(disk, job);
        await world.liveUntil({ point: 'after-commit', nth });
        await world.live(() => NO_FAULTS);
        const { task, results } = await world.rows();
        const answers = results.filter(({ reusable }) => reusable);
        expect(task.requests).toBe(answers.length);
        expect(task.usage.promptTokens).toBe(answers.reduce((sum, { usage }) => sum + usage.promptTokens, 0));
      }
    });
  });
}
