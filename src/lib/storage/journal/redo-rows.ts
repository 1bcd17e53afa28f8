import type { CheckpointRow } from '../../core/checkpoint';
import { mergeDrafts } from '../../core/commit';
import type { EffectRow } from '../../core/effect';
import type { EffectKey, ResultKey, StepKey } from '../../core/ids';
import { ok, type Result } from '../../core/result';
import type { StepRow } from '../../core/step';
import type { TaskRow } from '../../core/task';
import { commitRows } from '../commit-rows';
import type { JournaledCommit } from './chain';
import type { StoredRows } from './restorable-store';

/** Commits of the first version say nothing of what came later. */
const NOTHING = mergeDrafts([]);

export interface RedoneRows extends StoredRows {
  readonly task: TaskRow;
  readonly removedSteps: readonly StepKey[];
  readonly settledPartials: readonly ResultKey[];
}

/** What the commits behind the task's seq write, one after another, taken together. Their epochs are not checked: the chain was. */
export function redoRows(found: TaskRow, commits: readonly JournaledCommit[]): Result<RedoneRows> {
  let task = found;
  const steps = new Map<StepKey, StepRow>();
  const removed = new Set<StepKey>();
  const missing = commits
    .filter(({ seq }) => seq > found.seq)
    .map(({ seq, commit }) => ({ seq, commit: { ...NOTHING, ...commit } }));
  const activity: StoredRows['activity'][number][] = [];
  const effects = new Map<EffectKey, EffectRow>();
  const checkpoints: CheckpointRow[] = [];
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
    for (const effect of rows.value.effects) effects.set(effect.key, effect);
    if (rows.value.checkpoint) checkpoints.push({ ...rows.value.checkpoint, epoch: commit.epoch });
    task = { ...rows.value.task, epoch: Math.max(task.epoch, commit.epoch) };
  }
  const results = missing.flatMap(({ commit }) => commit.results);
  return ok({
    task,
    steps: [...steps.values()],
    removedSteps: [...removed],
    results,
    activity,
    effects: [...effects.values()],
    checkpoints,
    settledPartials: missing.flatMap(({ commit }) => commit.settledPartials),
  });
}
