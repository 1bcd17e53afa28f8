import { describe, expect, it } from 'vitest';
import { USUAL_LIMITS, limitOptions, wrongLimit } from './limits';

describe('limits of a new task', () => {
  it('without a deadline, and half of the files, unless typed otherwise', () => {
    expect(wrongLimit(USUAL_LIMITS)).toBeNull();
    expect(limitOptions(USUAL_LIMITS)).toEqual({ failurePercent: 50 });
    expect(limitOptions({ deadlineHours: 0, failurePercent: 50 })).toEqual({ failurePercent: 50 });
    expect(limitOptions({ deadlineHours: 2.5, failurePercent: 0 })).toEqual({ deadlineHours: 2.5, failurePercent: 0 });
  });

  it.each([
    [{ deadlineHours: 0, failurePercent: 50 }, null],
    [{ deadlineHours: 0.05, failurePercent: 50 }, 'deadline'],
    [{ deadlineHours: -1, failurePercent: 50 }, 'deadline'],
    [{ deadlineHours: 1e9, failurePercent: 50 }, 'deadline'],
    [{ deadlineHours: Number.NaN, failurePercent: 50 }, 'deadline'],
    [{ deadlineHours: null, failurePercent: null }, 'failures'],
    [{ deadlineHours: null, failurePercent: -1 }, 'failures'],
    [{ deadlineHours: null, failurePercent: 101 }, 'failures'],
    [{ deadlineHours: 0.1, failurePercent: 100 }, null],
  ])('%o: %s', (typed, expected) => {
    expect(wrongLimit(typed)).toBe(expected);
  });
});
