import type { Failure } from './failure';
import type { TaskId } from './ids';

/** One line of a task's activity: what happened, for people. `n` orders the lines of one commit. */
export interface ActivityRow {
  readonly v: 1;
  readonly taskId: TaskId;
  readonly seq: number;
  readonly n: number;
  readonly atMs: number;
  readonly what: ActivityKind;
  readonly details: Readonly<Record<string, string | number>>;
  readonly failure: Failure | null;
}

export const ACTIVITY_KINDS = [
  'started',
  'forked',
  'resumed',
  'taken_over',
  'unplugged',
  'planned',
  'paused',
  'held',
  'continued',
  'cancelled',
  'retry_failed',
  'file_failed',
  'context_learned',
  'answers_lost',
  'merging',
  'completed',
  'failed',
  'output_written',
  'output_refused',
  'output_waits',
  'foreign_edit',
  'effect_in_doubt',
  'effect_overwritten',
  'effect_kept',
  'effect_sent',
  'effect_again',
  'effect_skipped',
  'concurrency_changed',
  'endpoint_changed',
  'room_made',
] as const;

export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

export type NewActivity = Pick<ActivityRow, 'what' | 'details' | 'failure'>;
