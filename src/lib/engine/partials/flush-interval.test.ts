import { expect, it } from 'vitest';
import { flushIntervalMs, meanUninterruptedMs } from './flush-interval';

const MINUTE_MS = 60_000;

it('takes one interruption in half an hour for granted, and learns from what happens', () => {
  expect(meanUninterruptedMs({ activeMs: 0 })).toBe(30 * MINUTE_MS);
  expect(meanUninterruptedMs({ activeMs: 10 * 60 * MINUTE_MS })).toBe(630 * MINUTE_MS);
  expect(meanUninterruptedMs({ activeMs: 30 * MINUTE_MS, interruptions: 9 })).toBe(6 * MINUTE_MS);
  expect(meanUninterruptedMs({ activeMs: -5, interruptions: 0 })).toBe(30 * MINUTE_MS);
});

it('writes the more seldom the more it costs and the rarer it is needed', () => {
  expect(flushIntervalMs(1, 30 * MINUTE_MS)).toBeCloseTo(Math.sqrt(2 * 1 * 30 * MINUTE_MS));
  expect(flushIntervalMs(4, 30 * MINUTE_MS)).toBeCloseTo(2 * flushIntervalMs(1, 30 * MINUTE_MS));
  expect(flushIntervalMs(1, 120 * MINUTE_MS)).toBeCloseTo(2 * flushIntervalMs(1, 30 * MINUTE_MS));
});

it('stays between a tenth of a second and five', () => {
  expect(flushIntervalMs(0, 30 * MINUTE_MS)).toBe(100);
  expect(flushIntervalMs(500, 1_000 * MINUTE_MS)).toBe(5_000);
});
