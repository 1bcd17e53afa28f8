import type { Pace } from './task';

/** Older samples fade: after this many the mean follows as if only the newest counted. */
const MEMORY = 60;

export function addPace(pace: Pace, intervalMs: number): Pace {
  if (!(intervalMs >= 0 && intervalMs < Infinity)) return pace;
  const samples = Math.min(pace.samples + 1, MEMORY);
  const delta = intervalMs - pace.meanMs;
  const meanMs = pace.meanMs + delta / samples;
  const kept = pace.samples >= MEMORY ? pace.m2 * (1 - 1 / MEMORY) : pace.m2;
  return { samples, meanMs, m2: kept + delta * (intervalMs - meanMs) };
}

export interface TimeLeft {
  readonly lowMs: number;
  readonly highMs: number;
}

const MIN_SAMPLES = 5;
/** Nothing settled for that many usual intervals, and not only for a moment: the pace says nothing any more. */
const STALLED_INTERVALS = 5;
const STALLED_LEAST_MS = 3_000;

/**
 * Time left as a range that narrows as files settle; null until enough is known to be honest, and while nothing settles:
 * `idleMs` is the time since the last file did.
 * The half-width is two standard errors of the remaining sum plus the error of the mean, at least a tenth.
 */
export function timeLeft(pace: Pace, remaining: number, idleMs: number): TimeLeft | null {
  if (remaining <= 0 || pace.samples < MIN_SAMPLES) return null;
  const deviationMs = Math.sqrt(pace.m2 / Math.max(1, pace.samples - 1));
  if (idleMs > Math.max(STALLED_LEAST_MS, STALLED_INTERVALS * (pace.meanMs + deviationMs))) return null;
  const middleMs = pace.meanMs * remaining;
  const errorMs = 2 * deviationMs * Math.sqrt(remaining + (remaining * remaining) / pace.samples);
  const half = Math.max(middleMs * 0.1, Math.min(errorMs, middleMs * 0.9));
  return { lowMs: Math.max(0, middleMs - half), highMs: middleMs + half };
}
