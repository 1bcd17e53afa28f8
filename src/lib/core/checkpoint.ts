import type { Commit } from './commit';
import type { Counts } from './counts';
import type { TaskId } from './ids';
import { isWhole } from './fork-origin';
import { isSettled, type StepRow } from './step';
import type { PauseReason, TaskRow, TaskStage, TaskStatus } from './task';

/**
 * A point of a task's past that can be looked at and forked from: how the task stood after the commit `seq`. What a step
 * was at that point is told by its row now, by `StepRow.addedSeq`, and by the `replaced` rows of later checkpoints.
 */
export interface CheckpointRow {
  readonly v: 1;
  readonly taskId: TaskId;
  readonly seq: number;
  readonly epoch: number;
  readonly atMs: number;
  readonly status: TaskStatus;
  readonly reason: PauseReason | null;
  readonly stage: TaskStage;
  readonly counts: Counts;
  /** As they were before it: finished rows that this commit took back, and whatever it removed. */
  readonly replaced: readonly StepRow[];
}

/**
 * The checkpoint that a commit makes; null for one that finishes nothing, such as a step's beginning. A fork has no past
 * before it is whole.
 */
export function checkpointOf(task: TaskRow, commit: Commit): CheckpointRow | null {
  if (task.forkedFrom && !isWhole(task.forkedFrom)) return null;
  const { steps, removedSteps, replaced, task: patch } = commit;
  const { status, stage, plan, report, forkedFrom } = patch;
  const isTurningPoint = [status, stage, plan, report, forkedFrom].some((field) => field !== undefined);
  const changesSteps = removedSteps.length > 0 || steps.some((step) => step.seq === 0 || isSettled(step.status));
  if (!isTurningPoint && !changesSteps && replaced.length === 0) return null;
  return {
    v: 1,
    taskId: task.id,
    seq: task.seq,
    epoch: commit.epoch,
    atMs: commit.atMs,
    status: task.status,
    reason: task.reason,
    stage: task.stage,
    counts: task.counts,
    replaced,
  };
}
