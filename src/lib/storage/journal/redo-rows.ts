import type { StepKey } from '../../core/ids';
import { ok, type Result } from '../../core/result';
import type { StepRow } from '../../core/step';
import type { TaskRow } from '../../core/task';
import { commitRows } from '../commit-rows';
import type { JournaledCommit } from './chain';
import type { StoredRows } from './restorable-store';

export interface RedoneRows extends StoredRows {
  readonly task: TaskRow;
  readonly removedSteps: readonly StepKey[];
}

/** What the commits behind the task's seq write, one after another, taken together. Their epochs are not checked: the chain was. */
export function redoRows(found: TaskRow, commits: readonly JournaledCommit[]): Result<RedoneRows> {
  let task = found;
  const steps = new Map<StepKey, StepRow>();
  const removed = new Set<StepKey>();
  const missing = commits.filter(({ seq }) => seq > found.seq);
  const activity: StoredRows['activity'][number][] = [];
  for (const { commit } of missing) {
    const rows = commitRows(task, { ...commit, epoch: task.epoch });
    if (!rows.ok) return rows;
    for (const key of rows.value.removedSteps) {
      removed.add(key);
      steps.delete(key);
    }
    for (const step of rows.value.steps) {
      removed.delete(step.key);
      steps.set(step.key, step);
    }
    activity.push(...rows.value.activity);
    task = { ...rows.value.task, epoch: Math.max(task.epoch, commit.epoch) };
  }
  const results = missing.flatMap(({ commit }) => commit.results);
  return ok({ task, steps: [...steps.values()], removedSteps: [...removed], results, activity });
}
