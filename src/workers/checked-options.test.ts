import { describe, expect, it } from 'vitest';
import { OPTIONS } from '../lib/testing/engine-bench';
import { checkedOptions } from './checked-options';

describe('options of a new task', () => {
  it.each([
    [{}, {}],
    [
      { deadlineHours: 2.5, failurePercent: 0 },
      { deadlineHours: 2.5, failurePercent: 0 },
    ],
    [{ deadlineHours: 0 }, {}],
    [{ deadlineHours: -3 }, {}],
    [{ deadlineHours: Number.NaN, failurePercent: Number.NaN }, {}],
    [
      { deadlineHours: 0.001, failurePercent: 900 },
      { deadlineHours: 0.1, failurePercent: 100 },
    ],
    [
      { deadlineHours: 1e12, failurePercent: -5 },
      { deadlineHours: 1_000, failurePercent: 0 },
    ],
  ])('%o', (given, kept) => {
    expect(checkedOptions({ ...OPTIONS, ...given })).toEqual({ ...OPTIONS, ...kept });
  });

  it.each([
    [0, 1],
    [3.9, 3],
    [1_000, 64],
    [Number.NaN, 1],
  ])('%d requests at once: %d', (given, kept) => {
    expect(checkedOptions({ ...OPTIONS, concurrency: given }).concurrency).toBe(kept);
  });
});
