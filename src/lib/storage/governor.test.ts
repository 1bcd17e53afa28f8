import { describe, expect, it } from 'vitest';
import { ok } from '../core/result';
import { FakeClock } from '../testing/fake-clock';
import { StorageGovernor } from './governor';

const MB = 1_000_000;

/** What is asked to be freed, in bytes, when so much of so much is used. */
async function wanted(found: { usedBytes: number; quotaBytes: number } | null): Promise<readonly number[]> {
  const asked: number[] = [];
  const store = {
    freeUnused: (bytes: number) => {
      asked.push(bytes);
      return Promise.resolve(ok({ results: 0, bytes: 0 }));
    },
  };
  await new StorageGovernor({ store, clock: new FakeClock(), estimate: () => Promise.resolve(found) }).look();
  return asked;
}

describe('the governor', () => {
  it('leaves everything alone while there is room, and when the browser tells nothing', async () => {
    expect(await wanted({ usedBytes: 500 * MB, quotaBytes: 10_000 * MB })).toEqual([]);
    expect(await wanted({ usedBytes: 50 * MB, quotaBytes: 100 * MB })).toEqual([]);
    expect(await wanted(null)).toEqual([]);
  });

  it('asks for what is lacking to the reserve before a write is refused', async () => {
    expect(await wanted({ usedBytes: 9_990 * MB, quotaBytes: 10_000 * MB })).toEqual([54 * MB]);
    expect(await wanted({ usedBytes: 95 * MB, quotaBytes: 100 * MB })).toEqual([5 * MB]);
  });
});
