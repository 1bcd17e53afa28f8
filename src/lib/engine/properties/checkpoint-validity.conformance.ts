/**
 * Checkpoint validity: every commit leaves rows that a new owner can trust as they are, and rows that were damaged are
 * refused or left for an earlier commit, never taken for a task that has not begun.
 */
import { describe, expect, it } from 'vitest';
import { addCounts, countsDelta, NO_COUNTS } from '../../core/counts';
import { NO_FAULTS } from '../../core/fault-points';
import { canStepMove, type StepRow } from '../../core/step';
import { canTaskMove } from '../../core/task';
import { FaultScript } from '../../testing/fault-script';
import { Prefixes } from '../../testing/prefixes';
import type { PropertyCase } from '../../testing/property-case';
import { PropertyWorld, undisturbed } from '../../testing/property-world';
import { withoutOwner, type TaskRows } from '../../testing/task-rows';

export function checkpointValidity({ disk, job, pick }: PropertyCase): void {
  describe(`checkpoint validity: ${job.name}, ${disk.name}`, () => {
    it('every commit is a place to go on from', async () => {
      const world = await PropertyWorld.make(disk, job);
      const prefixes = new Prefixes();
      world.bench.store = await prefixes.watch(world.store);
      await world.live(() => NO_FAULTS);
      const states = [...prefixes.bySeq.entries()].sort(([a], [b]) => a - b).map(([, rows]) => rows);
      expect(states.length).toBeGreaterThan(10);
      states.forEach((rows, n) => {
        expectValid(rows);
        const before = states[n - 1];
        if (before) expectMoved(before, rows);
      });
    });

    for (const damage of disk.damages) {
      it(`${damage.what}: ${damage.refusal === null ? 'goes on from before' : 'is refused and left as it is'}`, async () => {
        const { outcome, timesPassed } = await undisturbed(job);
        // Before the third commit there is nothing to damage.
        const moments = pick(timesPassed('after-commit')).filter((nth) => nth > 2);
        expect(moments).not.toEqual([]);
        for (const nth of moments) {
          const made = disk.make();
          const world = await PropertyWorld.on(made, job);
          const prefixes = new Prefixes();
          world.bench.store = await prefixes.watch(world.store);
          await world.live((life) => new FaultScript('after-commit', () => life.dieHere(), nth));
          const asked = world.bench.model.calls.length;
          await made.damage(damage.what);
          await world.restart();
          if (damage.refusal !== null) {
            await world.live(() => NO_FAULTS);
            expect(world.refusal).toBe(damage.refusal);
            expect(world.bench.model.calls.length).toBe(asked);
            continue;
          }
          const found = await world.rows();
          const expected = prefixes.bySeq.get(found.task.seq);
          expect(withoutOwner(found)).toEqual(expected && withoutOwner(expected));
          expectValid(found);
          await world.live(() => NO_FAULTS);
          expect(await world.outcome()).toEqual(outcome);
        }
      });
    }
  });
}

/** What everything else relies on. */
function expectValid({ task, steps, results }: TaskRows): void {
  const keys = new Set(steps.map(({ key }) => key));
  const resultKeys = new Set(results.map(({ key }) => key));
  expect(task.counts).toEqual(steps.reduce((sum, step) => addCounts(sum, countsDelta(null, step)), NO_COUNTS));
  for (const step of steps) {
    expect(step.seq).toBeLessThanOrEqual(task.seq);
    if (step.status === 'done') expect(resultKeys).toContain(step.resultKey);
    for (const input of step.inputs) expect(keys).toContain(input);
  }
  if (task.status === 'completed') expect(resultKeys).toContain(task.report);
  expect(task.report === null || task.status === 'completed').toBe(true);
}

/** From one commit to the next nothing finished is lost, and every row moves as rows may. */
function expectMoved(before: TaskRows, after: TaskRows): void {
  expect(after.task.seq).toBe(before.task.seq + 1);
  expect(canTaskMove(before.task.status, after.task.status)).toBe(true);
  const was = new Map<string, StepRow>(before.steps.map((step) => [step.key, step]));
  for (const step of after.steps) expect(canStepMove(was.get(step.key)?.status ?? 'pending', step.status)).toBe(true);
  const kept = new Set(after.results.map(({ key }) => key));
  for (const { key } of before.results) expect(kept).toContain(key);
}
