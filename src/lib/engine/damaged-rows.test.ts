import { describe, expect, it } from 'vitest';
import { failure } from '../core/failure';
import { fail } from '../core/result';
import { EngineBench } from '../testing/engine-bench';
import { LossyStore, type Loss } from '../testing/lossy-store';

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

/** Six files, all answered. */
async function answered() {
  const store = new LossyStore();
  const bench = new EngineBench({ store });
  for (let n = 0; n < 6; n += 1) bench.folder.put(`f_${String(n)}.txt`, `text number ${String(n)}`);
  await bench.createTask({ concurrency: 2 });
  await bench.run();
  const report = await bench.report();
  const lose = async (path: string, loss: Loss) => {
    const key = (await bench.files()).find(({ file }) => file?.path === path)?.resultKey;
    if (key) store.lost.set(key, loss);
  };
  return { bench, report, lose, asked: bench.model.fileCalls.length };
}

describe('the answer of a finished file', () => {
  it.each(['gone', 'damaged'] as const)(
    '%s: that file alone is asked about again, and the report is whole',
    async (loss) => {
      const { bench, report, lose, asked } = await answered();
      await lose('f_3.txt', loss);
      await bench.run();
      expect(await bench.task()).toMatchObject({ status: 'completed', counts: { done: 6, failed: 0 } });
      expect(bench.model.fileCalls).toHaveLength(asked + 1);
      expect(bench.model.askedAbout('text number 3')).toBe(2);
      expect(await bench.report()).toBe(report);
      const lines = await bench.store.activity((await bench.task()).id, 100);
      expect(lines.ok && lines.value.find(({ what }) => what === 'answers_lost')).toMatchObject({
        details: { steps: 1 },
      });
    },
  );

  it('of a newer version: pauses with its code and is not asked again', async () => {
    const { bench, lose, asked } = await answered();
    await lose('f_3.txt', 'newer');
    await bench.run();
    expect(await bench.task()).toMatchObject({ status: 'paused', failure: { code: 'row_from_newer_version' } });
    expect(bench.model.fileCalls).toHaveLength(asked);
  });
});
