/** Fork determinism: a fork begins with exactly what its parent had, comes to the same, and leaves its parent alone. */
import { describe, expect, it } from 'vitest';
import { NO_FAULTS } from '../../core/fault-points';
import { taskId, type TaskId } from '../../core/ids';
import type { StepRow } from '../../core/step';
import { TASK } from '../../testing/engine-bench';
import { FaultScript } from '../../testing/fault-script';
import { Prefixes } from '../../testing/prefixes';
import type { PropertyCase } from '../../testing/property-case';
import { PropertyWorld, undisturbed } from '../../testing/property-world';
import { rowsOf, withoutOwner } from '../../testing/task-rows';
import { fork } from '../fork';

const CHILD = taskId('fedcba987654');
const TWIN = taskId('abcdef012345');

/** A report says which answers it did not pay for itself. */
const REUSED = ' (answer reused)';

async function forkAt(world: PropertyWorld, seq: number, id: TaskId): Promise<void> {
  const ports = { store: world.store, clock: world.bench.clock };
  const made = await fork(ports, { id, parent: TASK, seq, changes: { name: 'Notes' } });
  if (!made.ok) throw new Error(made.failure.code);
}

/** What a step came to, whoever's it is. */
function madeBy(steps: readonly StepRow[]) {
  return new Map(steps.flatMap((step) => (step.status === 'done' ? [[step.key, step.resultKey] as const] : [])));
}

export function forkDeterminism({ disk, job, pick }: PropertyCase): void {
  describe(`fork determinism: ${job.name}, ${disk.name}`, () => {
    it('from any checkpoint of a finished task', async () => {
      const { outcome, rows } = await undisturbed(job);
      for (const nth of pick(rows.task.seq)) {
        const world = await PropertyWorld.make(disk, job);
        const prefixes = new Prefixes();
        world.bench.store = await prefixes.watch(world.store);
        await world.live(() => NO_FAULTS);
        const past = await world.store.checkpoints(TASK, null, 10_000);
        if (!past.ok) throw new Error(past.failure.code);
        const seqs = past.value.map(({ seq }) => seq).sort((a, b) => a - b);
        const seq = seqs[Math.min(nth, seqs.length) - 1] ?? 0;
        const before = await world.rows();
        const asked = world.bench.model.calls.length;
        await forkAt(world, seq, CHILD);
        await world.live((life) => new FaultScript('after-plan', () => life.dieHere()), false, CHILD);
        const begun = madeBy((await rowsOf(world.store, CHILD)).steps);
        for (const [key, made] of madeBy(prefixes.bySeq.get(seq)?.steps ?? [])) expect(begun.get(key)).toBe(made);
        await world.live(() => NO_FAULTS, false, CHILD);
        await forkAt(world, seq, TWIN);
        await world.live(() => NO_FAULTS, false, TWIN);
        expect((await world.outcome(CHILD)).report.replaceAll(REUSED, '')).toBe(outcome.report);
        expect((await world.outcome(TWIN)).report.replaceAll(REUSED, '')).toBe(outcome.report);
        expect((await world.outcome(CHILD)).fates).toEqual(outcome.fates);
        // What is refused is refused again: only an answer is one to begin with.
        const answered = world.bench.model.calls.slice(asked).filter((call) => job.answer(call, 3).ok);
        expect(answered).toEqual([]);
        expect(withoutOwner(await world.rows())).toEqual(withoutOwner(before));
      }
    });

    it('from a task that was ended in the middle, and goes on later', async () => {
      const { outcome } = await undisturbed(job);
      const world = await PropertyWorld.make(disk, job);
      await world.liveUntil({ point: 'after-response', nth: 4 });
      const before = await world.rows();
      await forkAt(world, before.task.seq, CHILD);
      await world.live(() => NO_FAULTS, false, CHILD);
      expect((await world.outcome(CHILD)).report.replaceAll(REUSED, '')).toBe(outcome.report);
      expect(await world.rows()).toEqual(before);
      await world.live(() => NO_FAULTS);
      expect((await world.outcome()).report.replaceAll(REUSED, '')).toBe(outcome.report);
      expect(world.askedInVain).toEqual([]);
    });
  });
}
