import { mergeDrafts, type CommitDraft } from '../core/commit';
import type { CheckpointStore } from '../core/ports';
import type { Result } from '../core/result';
import { ok } from '../core/result';
import { withAttempt, type StepRow, type StepStatus } from '../core/step';
import type { TaskRow } from '../core/task';
import { reopenedStep, stepDraft } from './step-rows';
import { afterEnd, type OwnerEnd } from './suspicion';

const PAGE = 500;

/**
 * Steps that an earlier owner left running become pending again; the try is noted and does not count. Unless the person
 * ended that owner, each comes under suspicion of having ended it.
 */
export async function recoverRunning(
  task: TaskRow,
  store: CheckpointStore,
  submit: Submit,
  end: OwnerEnd,
): Promise<Result<number>> {
  const few = await store.stepsByStatus(task.id, 'running', 2);
  if (!few.ok) return few;
  const wasAlone = few.value.length === 1;
  return moveAll(task, store, submit, 'running', (step) => ({
    ...afterEnd(step, end, wasAlone),
    status: 'pending',
    history: withAttempt(step.history, {
      startedMs: task.updatedMs,
      durationMs: 0,
      outcome: 'interrupted',
      code: null,
    }),
  }));
}

/** "Retry failed": exactly the failed steps run again. */
export function reopenFailed(task: TaskRow, store: CheckpointStore, submit: Submit): Promise<Result<number>> {
  return moveAll(task, store, submit, 'failed', (step) => reopenedStep(step));
}

type Submit = (draft: CommitDraft) => Promise<TaskRow>;

async function moveAll(
  task: TaskRow,
  store: CheckpointStore,
  submit: Submit,
  from: StepStatus,
  move: (step: StepRow) => StepRow,
): Promise<Result<number>> {
  let moved = 0;
  for (;;) {
    const page = await store.stepsByStatus(task.id, from, PAGE);
    if (!page.ok) return page;
    if (page.value.length === 0) return ok(moved);
    await submit(mergeDrafts(page.value.map((step) => stepDraft(step, move(step)))));
    moved += page.value.length;
  }
}
