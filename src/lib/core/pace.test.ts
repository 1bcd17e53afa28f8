import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addPace, timeLeft } from './pace';
import { NO_PACE } from './task';

const interval = fc.double({ min: 0, max: 3_600_000, noNaN: true });
const paceOf = (intervals: readonly number[]) => intervals.reduce(addPace, NO_PACE);

describe('addPace', () => {
  test('gives the mean and the sum of squares of what it was given', () => {
    const pace = paceOf([100, 200, 300, 400]);
    expect(pace).toMatchObject({ samples: 4, meanMs: 250 });
    expect(pace.m2).toBeCloseTo(50_000);
  });

  test('stays within what was seen', () => {
    fc.assert(
      fc.property(fc.array(interval, { minLength: 1, maxLength: 150 }), (intervals) => {
        const { meanMs, m2 } = paceOf(intervals);
        expect(meanMs).toBeGreaterThanOrEqual(Math.min(...intervals) - 1e-6);
        expect(meanMs).toBeLessThanOrEqual(Math.max(...intervals) + 1e-6);
        expect(m2).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test('forgets: after a change of speed the new one wins', () => {
    const pace = paceOf([...Array<number>(200).fill(10_000), ...Array<number>(300).fill(1_000)]);
    expect(pace.meanMs).toBeGreaterThan(1_000);
    expect(pace.meanMs).toBeLessThan(1_100);
  });

  test.each([-1, Number.NaN, Infinity])('takes no notice of an interval of %s', (intervalMs) => {
    const pace = paceOf([100, 200]);
    expect(addPace(pace, intervalMs)).toBe(pace);
  });
});

describe('timeLeft', () => {
  test('says nothing while it does not know, or when nothing is left', () => {
    expect(timeLeft(paceOf([100, 100, 100, 100]), 10, 0)).toBeNull();
    expect(timeLeft(paceOf([100, 100, 100, 100, 100]), 0, 0)).toBeNull();
  });

  test('is a range around pace times files, at least a tenth to each side', () => {
    const left = timeLeft(paceOf(Array<number>(10).fill(1_000)), 60, 0);
    expect(left).toEqual({ lowMs: 54_000, highMs: 66_000 });
  });

  test('says nothing of what settles no more', () => {
    const pace = paceOf(Array<number>(20).fill(2_000));
    expect(timeLeft(pace, 1, 9_000)).not.toBeNull();
    expect(timeLeft(pace, 1, 11_000)).toBeNull();
  });

  test('is patient with a pace that was uneven, and with a fast one', () => {
    const uneven = paceOf(Array.from({ length: 20 }, (_, index) => (index % 10 === 0 ? 20_000 : 200)));
    expect(timeLeft(uneven, 10, 20_000)).not.toBeNull();
    expect(timeLeft(uneven, 10, 120_000)).toBeNull();
    expect(timeLeft(paceOf(Array<number>(20).fill(10)), 10, 2_000)).not.toBeNull();
  });

  test('narrows as files settle', () => {
    const intervals = Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? 500 : 1_500));
    const widthAt = (settledFiles: number) => {
      const left = timeLeft(paceOf(intervals.slice(0, settledFiles)), 60 - settledFiles, 0);
      return left === null ? Infinity : left.highMs - left.lowMs;
    };
    expect(widthAt(20)).toBeLessThan(widthAt(8));
    expect(widthAt(40)).toBeLessThan(widthAt(20));
  });

  test('is never negative, never upside down, never endless', () => {
    fc.assert(
      fc.property(fc.array(interval, { maxLength: 100 }), fc.nat(100_000), (intervals, remaining) => {
        const left = timeLeft(paceOf(intervals), remaining, 0);
        if (left === null) return;
        expect(left.lowMs).toBeGreaterThanOrEqual(0);
        expect(left.highMs).toBeGreaterThanOrEqual(left.lowMs);
        expect(Number.isFinite(left.highMs)).toBe(true);
      }),
    );
  });
});
