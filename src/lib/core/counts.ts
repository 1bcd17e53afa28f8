import type { StepRow, StepStatus } from './step';

/** Files of a task by state. `planned` is all of them; a file is settled when it is done, reused, failed or skipped. */
export interface Counts {
  readonly planned: number;
  readonly running: number;
  readonly done: number;
  readonly reused: number;
  readonly failed: number;
  readonly skipped: number;
}

export const NO_COUNTS: Counts = { planned: 0, running: 0, done: 0, reused: 0, failed: 0, skipped: 0 };

export function settled(counts: Counts): number {
  return counts.done + counts.reused + counts.failed + counts.skipped;
}

export type CountsDelta = Counts;

/** What a file step's change does to its task's counts. Steps that are not files count for nothing. */
export function countsDelta(before: StepRow | null, after: StepRow | null): CountsDelta {
  const delta = { ...NO_COUNTS };
  if (before?.type === 'file') add(delta, before, -1);
  if (after?.type === 'file') add(delta, after, 1);
  return delta;
}

export function addCounts(a: Counts, b: Counts): Counts {
  return {
    planned: a.planned + b.planned,
    running: a.running + b.running,
    done: a.done + b.done,
    reused: a.reused + b.reused,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
  };
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function add(delta: Mutable<Counts>, step: StepRow, sign: 1 | -1): void {
  delta.planned += sign;
  const field = countedAs(step.status, step.flags.reused);
  if (field) delta[field] += sign;
}

function countedAs(status: StepStatus, reused: boolean): Exclude<keyof Counts, 'planned'> | null {
  switch (status) {
    case 'pending':
      return null;
    case 'done':
      return reused ? 'reused' : 'done';
    case 'running':
    case 'failed':
    case 'skipped':
      return status;
  }
}
