import type { TaskId } from './ids';

/**
 * The sign of life of a task's owner. Whoever waits for the task looks whether `beat` still grows; when it last did so is
 * told by the onlooker's own monotonic clock, so no wall clock plays a part.
 */
export interface LeaseRow {
  readonly v: 1;
  readonly id: TaskId;
  readonly epoch: number;
  readonly beat: number;
}

/** An owner gives a sign of life this often. */
export const BEAT_EVERY_MS = 5_000;
/** An owner without a sign of life for that long is taken for frozen. */
export const LEASE_MS = 15_000;
/** Whoever waits for a task looks at its lease this often. */
export const LOOK_EVERY_MS = 2_500;

/**
 * How long one onlooker has seen no sign of life. Time counts only while it looks at regular distances: one that slept or
 * was throttled itself knows nothing of the time between.
 */
export class Quiet {
  #sign: string | null = null;
  #sinceMs = 0;
  #lastMs = 0;

  /** One look: `sign` changes with every sign of life, and is null when nothing could be seen. Gives how long it has been quiet. */
  look(sign: string | null, atMs: number): number {
    const isLate = atMs - this.#lastMs > 2 * LOOK_EVERY_MS;
    if (sign === null || sign !== this.#sign || isLate) this.#sinceMs = atMs;
    this.#sign = sign;
    this.#lastMs = atMs;
    return atMs - this.#sinceMs;
  }

  /** A sign of life that came another way. */
  heard(): void {
    this.#sign = null;
  }
}
