import { failure } from '../core/failure';
import { fail, ok, type Result } from '../core/result';
import { isSettled } from '../core/step';
import type { Job } from './job';
import type { OwnedTask } from './owned-task';
import { newDerivedStep, reopenedStep } from './step-rows';
import { reportFailed } from './task-endings';
import type { WorkLoop } from './work-loop';

/** "Retry failed" while the report is made, and the moment from which on it comes too late. */
interface Retry {
  readonly isRetryWanted: () => boolean;
  readonly reopen: () => Promise<Result<void>>;
  readonly close: () => void;
}

/**
 * Plans and works the report's steps, wave by wave, until the job says that they are complete. `nothing_to_report`
 * when no file has a result, `report_failed` when a step of the tree failed.
 */
export async function growReport(owned: OwnedTask, job: Job, loop: WorkLoop, retry: Retry): Promise<Result<void>> {
  for (let isFirst = true; ; isFirst = false) {
    if (retry.isRetryWanted()) {
      const reopened = await retry.reopen();
      if (!reopened.ok) return reopened;
      await loop.run();
    }
    const { done, reused, failed, skipped } = owned.row.counts;
    if (done + reused === 0) return fail(failure('nothing_to_report', { details: { failed, skipped } }));
    const wave = await owned.obtain(async () => {
      const model = await owned.model();
      return model.ok ? job.next(owned.jobContext()) : model;
    });
    if (!wave.ok) return wave;
    const { add, remove, isComplete, failed: lost } = wave.value;
    // What an earlier run could not make of the tree is tried again: to go on is to ask for the report.
    if (lost[0] && !isFirst) return fail(reportFailed(lost[0]));
    if (isComplete && remove.length === 0) {
      await loop.waited();
      if (retry.isRetryWanted()) continue;
      retry.close();
      return ok();
    }
    const stage = add.some((step) => step.type === 'section') ? 'reporting' : 'merging';
    await owned.submit({
      steps: [...add.map((step) => newDerivedStep(owned.row.id, step)), ...lost.map((step) => reopenedStep(step))],
      removedSteps: remove.map((step) => step.key),
      replaced: [...remove, ...lost.filter((step) => isSettled(step.status))],
      task: { stage },
      activity: add.length > 0 ? [{ what: 'merging', details: { steps: add.length, stage }, failure: null }] : [],
    });
    await owned.ports.faults.reach('mid-reduce', owned.row.id);
    await loop.run();
  }
}
