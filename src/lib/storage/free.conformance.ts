/** What every checkpoint store must do when room is to be made. */
import { describe, expect, it } from 'vitest';
import { resultKey } from '../core/ids';
import { sampleCommit, sampleResult, sampleStep } from '../testing/sample-rows';
import { begin, commitTo, valueOf, type TidyStore } from './checkpoint-store.conformance';

const output = 'x'.repeat(1_000);

export function freeConformance(create: () => Promise<TidyStore>): void {
  describe('results freed to make room', () => {
    const there = async (store: TidyStore, keys: readonly string[]) =>
      valueOf(await store.results(keys.map(resultKey))).map((row) => row !== null);

    it('are those that no step, no report and no point of the past uses, and no others', async () => {
      const store = await create();
      const names = ['unused', 'used', 'of-the-past', 'report'];
      const done = (key: string) => sampleStep('a.txt', { status: 'done', resultKey: resultKey(key) });
      let task = await begin(store);
      task = await commitTo(store, task, { results: names.map((key) => sampleResult(key, { output })) });
      task = await commitTo(store, task, { steps: [done('of-the-past')], task: { report: resultKey('report') } });
      await commitTo(store, task, { steps: [{ ...done('used'), seq: 2 }], replaced: [done('of-the-past')] });
      expect(valueOf(await store.freeUnused(1_000_000, 9))).toEqual({ results: 1, bytes: 1_000 });
      expect(await there(store, names)).toEqual([false, true, true, true]);
      expect(valueOf(await store.freeUnused(1_000_000, 9))).toEqual({ results: 0, bytes: 0 });
      valueOf(await store.tidy(1e15));
      expect(await there(store, names)).toEqual([false, true, true, true]);
    });

    it('go oldest first, and no more of them than is wanted', async () => {
      const store = await create();
      const rows = [3, 1, 2].map((n) => sampleResult(`r${String(n)}`, { output, createdMs: n, lastUsedMs: n }));
      await commitTo(store, await begin(store), { results: rows });
      expect(valueOf(await store.freeUnused(1_500, 9))).toEqual({ results: 2, bytes: 2_000 });
      expect(await there(store, ['r1', 'r2', 'r3'])).toEqual([false, false, true]);
      expect(valueOf(await store.freeUnused(0, 9))).toEqual({ results: 0, bytes: 0 });
    });

    it('go last when they were used again last, and that is told of them by the day', async () => {
      const store = await create();
      const made = [1, 2].map((n) => sampleResult(`r${String(n)}`, { output, createdMs: n, lastUsedMs: n }));
      const task = await commitTo(store, await begin(store), { results: made });
      const usedMs = task.updatedMs + 90_000_000;
      // As a step does that finds an answer: its commit brings the row along.
      const again = { ...sampleCommit(task, { results: made.slice(0, 1) }), atMs: usedMs };
      const next = valueOf(await store.commit(again));
      valueOf(await store.commit({ ...again, epoch: next.epoch, atMs: usedMs + 1_000 }));
      expect(valueOf(await store.result(resultKey('r1')))).toEqual({ ...made[0], lastUsedMs: usedMs });
      expect(valueOf(await store.freeUnused(500, 9))).toEqual({ results: 1, bytes: 1_000 });
      expect(await there(store, ['r1', 'r2'])).toEqual([true, false]);
    });
  });
}
