import { MAX_CONCURRENCY, MAX_DEADLINE_HOURS, MIN_DEADLINE_HOURS, type BatchOptions } from '../lib/core/task';

export function clampConcurrency(concurrency: number): number {
  return Math.min(MAX_CONCURRENCY, Math.max(1, Math.trunc(concurrency) || 1));
}

/** Numbers from the page within the bounds that the engine keeps; what is no number is left out. */
export function checkedOptions({ deadlineHours, failurePercent, ...options }: BatchOptions): BatchOptions {
  const bounded = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));
  const hours = Number.isFinite(deadlineHours) ? (deadlineHours ?? 0) : 0;
  return {
    ...options,
    concurrency: clampConcurrency(options.concurrency),
    ...(hours > 0 ? { deadlineHours: bounded(hours, MIN_DEADLINE_HOURS, MAX_DEADLINE_HOURS) } : {}),
    ...(Number.isFinite(failurePercent) ? { failurePercent: bounded(failurePercent ?? 0, 0, 100) } : {}),
  };
}
