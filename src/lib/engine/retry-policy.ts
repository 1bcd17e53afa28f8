import type { Failure } from '../core/failure';
import type { Random } from '../core/ports';

/** Tries of a step before it counts as failed. Waits and interruptions are not tries. */
export const MAX_ATTEMPTS = 5;

const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 60_000;
/** A server may ask for hours; the person would rather see us look again. */
const MAX_ASKED_DELAY_MS = 15 * 60_000;
/** One that asks for less, time and again, is asked no more often than that. */
const MOST_DOUBT_MS = 5_000;

/**
 * Delay before try number `attempt + 1`, in milliseconds: doubling from 1 s to 60 s, half of it jitter so that many
 * steps that failed together do not come back together. A wait that the server asked for is kept, up to 15 min; one that
 * is shorter than ours grows as ours does, up to 5 s.
 */
export function retryDelayMs(attempt: number, failure: Failure, random: Random): number {
  const asked = failure.retryAfterMs;
  const full = Math.min(FIRST_DELAY_MS * 2 ** Math.max(0, attempt - 1), MAX_DELAY_MS);
  const ownMs = full / 2 + (full / 2) * random();
  if (asked === undefined || !(asked > 0)) return ownMs;
  return Math.max(Math.min(ownMs, MOST_DOUBT_MS), Math.min(asked, MAX_ASKED_DELAY_MS));
}
