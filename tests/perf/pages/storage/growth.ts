import { countWrittenBytes } from '../written-bytes';
import { doneDraft, pendingStep, planDraft, runningDraft } from './bench-steps';
import { journaledStore, type OwnedStore } from './bench-store';
import { exponent, mean, median, slice, timed } from './figures';
import { mergeDrafts } from '../../../../src/lib/core/commit';

/** Files that the walk adds in one commit. */
const PLANNED_AT_ONCE = 100;
/** Steps after which the bytes written so far are noted. */
const NOTED = [100, 200, 500, 1_000, 2_000, 5_000, 10_000];

/**
 * A task of many steps, each planned, marked as running and finished: what the two commits of a step cost at its beginning
 * and at its end, and how many bytes all of it writes.
 */
export async function measureGrowth(steps: number): Promise<unknown> {
  const times: number[] = [];
  const points: (readonly [number, number])[] = [];
  const store = await journaledStore('growth');
  const written = countWrittenBytes();
  await live(store, steps, (finished, ms) => {
    times.push(ms);
    if (NOTED.includes(finished)) points.push([finished, written.total()]);
  });
  const payload = ['tasks', 'steps', 'results'].reduce((sum, table) => sum + written.table(table), 0);
  const [first, last] = [slice(times, 0, 0.1), slice(times, 0.9, 1)];
  return {
    firstMs: { p50: median(first), mean: mean(first) },
    lastMs: { p50: median(last), mean: mean(last) },
    exponent: exponent(points),
    bytesAStep: written.total() / steps,
    ofPayload: written.total() / payload,
  };
}

async function live({ task, commit }: OwnedStore, steps: number, onStep: (finished: number, ms: number) => void) {
  for (let from = 0; from < steps; from += PLANNED_AT_ONCE) {
    const planned = Array.from({ length: PLANNED_AT_ONCE }, (_, offset) => pendingStep(task.id, from + offset));
    await commit(mergeDrafts(planned.map(planDraft)));
    for (const [offset, step] of planned.entries()) {
      const [running, done] = [runningDraft(step), doneDraft(step, from + offset)];
      const ms = await timed(async () => {
        await commit(running);
        await commit(done);
      });
      onStep(from + offset + 1, ms);
    }
  }
}
