import { expect, it } from 'vitest';
import { failure } from '../core/failure';
import { retryDelayMs } from './retry-policy';

const fault = failure('server_fault');

it('doubles from one second to a minute, half of it jitter', () => {
  const least = [1, 2, 3, 7, 40].map((attempt) => retryDelayMs(attempt, fault, () => 0));
  const most = [1, 2, 3, 7, 40].map((attempt) => retryDelayMs(attempt, fault, () => 1));
  expect(least).toEqual([500, 1_000, 2_000, 30_000, 30_000]);
  expect(most).toEqual([1_000, 2_000, 4_000, 60_000, 60_000]);
});

it('keeps a wait that was asked for, up to a quarter of an hour', () => {
  const asked = (retryAfterMs: number) => retryDelayMs(1, failure('rate_limited', { retryAfterMs }), () => 0);
  expect([asked(30_000), asked(7 * 3_600_000), asked(0)]).toEqual([30_000, 900_000, 500]);
});

it('does not believe in waits that are over at once, the less the more often they were not enough', () => {
  const asked = (attempt: number, retryAfterMs: number) =>
    retryDelayMs(attempt, failure('rate_limited', { retryAfterMs }), () => 0);
  expect([1, 2, 3, 4, 9].map((attempt) => asked(attempt, 1))).toEqual([500, 1_000, 2_000, 4_000, 5_000]);
  expect([1, 9].map((attempt) => asked(attempt, 20_000))).toEqual([20_000, 20_000]);
});
