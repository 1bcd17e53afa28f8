import type { ActivityRow } from '../core/activity';
import { applyCommit, type Commit } from '../core/commit';
import { failure } from '../core/failure';
import type { StepKey } from '../core/ids';
import { fail, ok, type Result } from '../core/result';
import type { StepRow } from '../core/step';
import type { TaskRow } from '../core/task';

export interface CommitRows {
  readonly task: TaskRow;
  readonly steps: readonly StepRow[];
  readonly removedSteps: readonly StepKey[];
  readonly activity: readonly ActivityRow[];
}

/** What a commit writes to a task found as it is. Failures: `task_missing`, `fenced`. */
export function commitRows(found: TaskRow | null, commit: Commit): Result<CommitRows> {
  if (found === null) return fail(failure('task_missing', { details: { task: commit.taskId } }));
  if (found.epoch !== commit.epoch) {
    return fail(
      failure('fenced', { details: { task: commit.taskId, epoch: commit.epoch, currentEpoch: found.epoch } }),
    );
  }
  const stray = commit.steps.find((step) => step.taskId !== commit.taskId);
  if (stray) throw new Error(`a commit of task ${commit.taskId} holds a step of task ${stray.taskId}`);
  const task = applyCommit(found, commit);
  const written = new Set(commit.steps.map((step) => step.key));
  return ok({
    task,
    steps: commit.steps.map((step) => ({ ...step, seq: task.seq })),
    removedSteps: commit.removedSteps.filter((key) => !written.has(key)),
    activity: commit.activity.map((line, n) => ({
      v: 1,
      taskId: commit.taskId,
      seq: task.seq,
      n,
      atMs: commit.atMs,
      ...line,
    })),
  });
}
