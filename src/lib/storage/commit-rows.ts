import type { ActivityRow } from '../core/activity';
import { checkpointOf, type CheckpointRow } from '../core/checkpoint';
import { applyCommit, type Commit } from '../core/commit';
import type { EffectRow } from '../core/effect';
import { failure } from '../core/failure';
import type { StepKey, TaskId } from '../core/ids';
import { fail, ok, type Result } from '../core/result';
import type { StepRow } from '../core/step';
import type { TaskRow } from '../core/task';

export interface CommitRows {
  readonly task: TaskRow;
  readonly steps: readonly StepRow[];
  readonly removedSteps: readonly StepKey[];
  readonly activity: readonly ActivityRow[];
  readonly effects: readonly EffectRow[];
  readonly checkpoint: CheckpointRow | null;
}

/** The task, when that epoch is its owner's. Failures: `task_missing`, `fenced`. */
export function checkOwner(found: TaskRow | null, id: TaskId, epoch: number): Result<TaskRow> {
  if (found === null) return fail(failure('task_missing', { details: { task: id } }));
  if (found.epoch === epoch) return ok(found);
  return fail(failure('fenced', { details: { task: id, epoch, currentEpoch: found.epoch } }));
}

/** What a commit writes to a task found as it is. Failures: `task_missing`, `fenced`. */
export function commitRows(found: TaskRow | null, commit: Commit): Result<CommitRows> {
  const owned = checkOwner(found, commit.taskId, commit.epoch);
  if (!owned.ok) return owned;
  const stray = commit.steps.find((step) => step.taskId !== commit.taskId);
  if (stray) throw new Error(`a commit of task ${commit.taskId} holds a step of task ${stray.taskId}`);
  const task = applyCommit(owned.value, commit);
  const written = new Set(commit.steps.map((step) => step.key));
  return ok({
    task,
    steps: commit.steps.map((step) => ({ ...step, seq: task.seq, ...(step.seq === 0 ? { addedSeq: task.seq } : {}) })),
    removedSteps: commit.removedSteps.filter((key) => !written.has(key)),
    activity: commit.activity.map((line, n) => ({
      v: 1,
      taskId: commit.taskId,
      seq: task.seq,
      n,
      atMs: commit.atMs,
      ...line,
    })),
    effects: commit.effects.map((effect) => ({ ...effect, seq: task.seq })),
    checkpoint: checkpointOf(task, commit),
  });
}
