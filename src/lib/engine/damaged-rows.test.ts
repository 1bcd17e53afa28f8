import { describe, expect, it } from 'vitest';
import { failure } from '../core/failure';
import { fail } from '../core/result';
import { EngineBench } from '../testing/engine-bench';

const damaged = () => failure('row_unreadable', { details: { table: 'steps', id: 'file/f_3.txt', field: 'inputs' } });

/** A bench whose store finds a damaged row at the nth call of one method. */
async function withDamage(method: string, atCall: number): Promise<{ bench: EngineBench; mend: () => void }> {
  const bench = new EngineBench();
  for (let n = 0; n < 6; n += 1) bench.folder.put(`f_${String(n)}.txt`, `text number ${String(n)}`);
  await bench.createTask({ concurrency: 2 });
  const store = bench.store as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
  const real = store[method]?.bind(bench.store);
  let calls = 0;
  let isDamaged = true;
  store[method] = (...args) => {
    calls += 1;
    if (isDamaged && calls >= atCall) return Promise.resolve(fail(damaged()));
    return real?.(...args) ?? Promise.resolve();
  };
  return { bench, mend: () => (isDamaged = false) };
}

describe('a damaged row in the middle of a task', () => {
  it.each([
    ['stepsByStatus', 1],
    ['stepsByStatus', 3],
    ['stepsOfType', 1],
    ['stepsOfType', 4],
    ['partials', 1],
  ] as const)(
    '%s, call %i: pauses with its code, asks no more, keeps what is done, and goes on when mended',
    async (method, atCall) => {
      const { bench, mend } = await withDamage(method, atCall);
      await bench.run();
      const stopped = await bench.task();
      expect(stopped).toMatchObject({ status: 'paused', reason: 'attention', failure: { code: 'row_unreadable' } });
      const asked = bench.model.fileCalls.length;
      await bench.clock.advance(10 * 60_000);
      expect(bench.model.fileCalls).toHaveLength(asked);
      expect((await bench.task()).seq).toBe(stopped.seq);
      mend();
      await bench.run();
      expect(await bench.task()).toMatchObject({ status: 'completed', counts: { done: 6, failed: 0 } });
    },
  );
});
