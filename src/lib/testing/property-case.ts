import type { DiskKind } from './disks';
import type { JobCase } from './job-cases';

/** What a property is held against. */
export interface PropertyCase {
  readonly disk: DiskKind;
  readonly job: JobCase;
  /** Which of `count` moments are tried, counted from 1. All of them where that is quick. */
  readonly pick: (count: number) => readonly number[];
}

/** A property is tried at many moments in one test, on machines that do other things as well. */
export const PROPERTY_LIMIT_MS = 120_000;

export function every(count: number): readonly number[] {
  return Array.from({ length: count }, (_, n) => n + 1);
}

/** The first, the last, and two in between. */
export function some(count: number): readonly number[] {
  return spread(count, [0, 1 / 3, 2 / 3, 1]);
}

/** One in the middle. */
export function one(count: number): readonly number[] {
  return spread(count, [1 / 2]);
}

function spread(count: number, shares: readonly number[]): readonly number[] {
  return count === 0 ? [] : [...new Set(shares.map((share) => Math.max(1, Math.ceil(share * count))))];
}
