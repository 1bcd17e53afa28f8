import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../testing/fake-clock';
import { RateBudget } from './rate-budget';
import type { BucketLevel } from '../../core/learned';
import { TokenBucket } from './token-bucket';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Takes one at a time for so long as it may, moving the clock; how many went. */
function takeFor(bucket: TokenBucket, clock: FakeClock, forMs: number): number {
  const untilMs = clock.monotonicMs() + forMs;
  let taken = 0;
  for (;;) {
    const waitMs = bucket.waitMs(1);
    if (clock.monotonicMs() + waitMs >= untilMs) return taken;
    clock.freeze(waitMs);
    bucket.take(1);
    taken += 1;
  }
}

describe('TokenBucket', () => {
  it('lets a tenth of a minute go at once and the rest as time passes', () => {
    const clock = new FakeClock();
    const bucket = new TokenBucket(60, clock);
    expect(takeFor(bucket, clock, 1)).toBe(6);
    expect(bucket.waitMs(1)).toBe(1_000);
    clock.freeze(500);
    expect(bucket.waitMs(1)).toBe(500);
    clock.freeze(HOUR_MS);
    expect(takeFor(bucket, clock, 1)).toBe(6);
  });

  it('always lets one go, however slow it is', () => {
    const bucket = new TokenBucket(1, new FakeClock());
    expect(bucket.waitMs(1)).toBe(0);
    bucket.take(1);
    expect(bucket.waitMs(1)).toBe(MINUTE_MS);
  });

  it('lets more go than it holds once it is full, and has it paid back', () => {
    const clock = new FakeClock();
    const bucket = new TokenBucket(60_000, clock);
    expect(bucket.waitMs(30_000)).toBe(0);
    bucket.take(30_000);
    expect(bucket.waitMs(1_000)).toBe(25_000);
    clock.freeze(25_000);
    expect(bucket.waitMs(1_000)).toBe(0);
  });

  it.each([
    ['3 h forward', 3 * HOUR_MS],
    ['3 h back', -3 * HOUR_MS],
    ['8 days forward', 8 * DAY_MS],
    ['8 days back', -8 * DAY_MS],
  ])('does not notice the wall clock while it lives: %s', (_, byMs) => {
    const clock = new FakeClock();
    const bucket = new TokenBucket(60, clock);
    bucket.take(6);
    clock.jumpWall(byMs);
    expect(bucket.waitMs(1)).toBe(1_000);
  });

  it.each([
    ['nothing', 0, 1_000],
    ['half a second', 500, 500],
    ['3 h forward', 3 * HOUR_MS, 0],
    ['3 h back', -3 * HOUR_MS, 1_000],
    ['8 days forward', 8 * DAY_MS, 0],
    ['8 days back', -8 * DAY_MS, 1_000],
  ])('over a restart, after %s', (_, byMs, waitMs) => {
    const clock = new FakeClock();
    const bucket = new TokenBucket(60, clock);
    bucket.take(6);
    const kept = bucket.state();
    clock.jumpWall(byMs);
    const restored = new TokenBucket(60, clock, kept);
    expect(restored.waitMs(1)).toBe(waitMs);
    expect(takeFor(restored, clock, MINUTE_MS)).toBeLessThanOrEqual(66);
  });

  it('pays back what was taken beyond it for five minutes at most', () => {
    const clock = new FakeClock();
    const bucket = new TokenBucket(60, clock);
    bucket.take(1e9);
    expect(bucket.waitMs(1)).toBe(5 * MINUTE_MS + 1_000);
    const old = { level: -1e300, wallMs: clock.now() - 6 * MINUTE_MS };
    expect(new TokenBucket(60, clock, old).waitMs(1)).toBe(0);
  });

  it('never lets more than a burst above the rate out in any minute, nor waits for long, whatever was stored', () => {
    const number = fc.oneof(fc.double(), fc.constantFrom(NaN, Infinity, -Infinity, 1e308, -1e308));
    const state = fc.record<BucketLevel>({ level: number, wallMs: number });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 600 }), state, (perMinute, kept) => {
        const clock = new FakeClock();
        const bucket = new TokenBucket(perMinute, clock, kept);
        expect(bucket.waitMs(1)).toBeLessThanOrEqual(6 * MINUTE_MS);
        clock.freeze(bucket.waitMs(1));
        expect(takeFor(bucket, clock, MINUTE_MS)).toBeLessThanOrEqual(perMinute + Math.max(1, perMinute / 10));
      }),
    );
  });
});

describe('RateBudget', () => {
  it('waits for whichever of both is scarcer, and corrects what was guessed', () => {
    const clock = new FakeClock();
    const rates = new RateBudget({ requestsPerMinute: 60, tokensPerMinute: 60_000 }, clock);
    rates.take(6_000);
    expect(rates.waitMs(1_000)).toBe(1_000);
    rates.correct(6_000, 4_000);
    expect(rates.waitMs(1_000)).toBe(0);
    rates.correct(4_000, 14_000);
    expect(rates.waitMs(1_000)).toBe(9_000);
    const kept = rates.state();
    clock.freeze(1_000);
    const restored = new RateBudget({ requestsPerMinute: 60, tokensPerMinute: 60_000 }, clock, kept);
    expect(restored.waitMs(1_000)).toBe(8_000);
  });

  it.each([null, 0, -1, NaN, Infinity])('has no limit where %s is given', (perMinute) => {
    const rates = new RateBudget({ requestsPerMinute: perMinute, tokensPerMinute: perMinute }, new FakeClock());
    for (let count = 0; count < 1_000; count += 1) rates.take(1_000_000);
    expect(rates.waitMs(1_000_000)).toBe(0);
    expect(rates.state()).toEqual({ requests: null, tokens: null });
  });
});
