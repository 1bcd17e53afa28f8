import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_CLOCKS, NO_TIMEOUTS } from '../core/model';
import { limitsFor } from './request-limits';

const MINUTE_MS = 60_000;

describe('limitsFor', () => {
  it('B5: a long prompt on a slow machine is given the time to be read', () => {
    const readingMs = 12 * MINUTE_MS;
    const limits = limitsFor(DEFAULT_CLOCKS, readingMs, NO_TIMEOUTS);
    expect(limits.firstTokenMs).toBe(46 * MINUTE_MS);
    expect(limits.connectMs).toBe(46 * MINUTE_MS);
    expect(limits.idleMs).toBe(DEFAULT_CLOCKS.idleMs);
  });

  it('is bounded by the whole request', () => {
    expect(limitsFor(DEFAULT_CLOCKS, 60 * MINUTE_MS, NO_TIMEOUTS).firstTokenMs).toBe(DEFAULT_CLOCKS.wholeMs);
  });

  it('never gives a request the limit that it ran out of', () => {
    const counts = fc.nat({ max: 4 });
    fc.assert(
      fc.property(counts, counts, fc.nat({ max: 3_600_000 }), (firstToken, whole, readingMs) => {
        const before = limitsFor(DEFAULT_CLOCKS, readingMs, { firstToken, whole });
        const isOwn = before.firstTokenMs < before.wholeMs;
        const next = isOwn ? { firstToken: firstToken + 1, whole } : { firstToken, whole: whole + 1 };
        const after = limitsFor(DEFAULT_CLOCKS, readingMs, next);
        expect(after.firstTokenMs).toBeGreaterThan(before.firstTokenMs);
        expect(after.firstTokenMs).toBeLessThanOrEqual(after.wholeMs);
      }),
    );
  });
});
