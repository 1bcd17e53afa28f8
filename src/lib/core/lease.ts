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
