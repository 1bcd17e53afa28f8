/** What the self-check reads of its task. */
import { liveQuery } from 'dexie';
import type { CheckpointRow } from '../../core/checkpoint';
import { EFFECT_STATES, type EffectState } from '../../core/effect';
import type { StepKey, TaskId } from '../../core/ids';
import { FailureError } from '../../core/failure-error';
import { isSettled, type StepRow } from '../../core/step';
import type { TaskRow } from '../../core/task';
import { rows } from '../page-rows';
import type { FinishedStep } from './evidence';

const PAGE = 500;
/** The task is small: all of it fits. */
const MOST = 10_000;

/** Resolves to the task once it is as wanted. Rejects when it does not get there in time. */
export function taskOnce(id: TaskId, isWanted: (task: TaskRow) => boolean, limitMs: number): Promise<TaskRow> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => over(() => reject(new Error(`the task did not get on for ${limitMs} ms`))), limitMs);
    const reading = liveQuery(() => rows.task(id)).subscribe({
      next: (read) => {
        if (!read.ok) over(() => reject(new FailureError(read.failure)));
        else if (read.value && isWanted(read.value)) over(() => resolve(read.value as TaskRow));
      },
      error: (error: unknown) => over(() => reject(error instanceof Error ? error : new Error(String(error)))),
    });
    function over(settle: () => void) {
      clearTimeout(timer);
      // The first answer can come before there is something to end.
      queueMicrotask(() => reading.unsubscribe());
      settle();
    }
  });
}

export async function allSteps(id: TaskId): Promise<readonly StepRow[]> {
  return rows.stepsSince(id, -1, MOST);
}

export async function finishedSteps(id: TaskId): Promise<readonly FinishedStep[]> {
  const steps = await allSteps(id);
  return steps.filter((step) => isSettled(step.status)).map(({ key, seq, resultKey }) => ({ key, seq, resultKey }));
}

export async function effectCounts(id: TaskId): Promise<Record<EffectState, number>> {
  const counted = await Promise.all(
    EFFECT_STATES.map(async (state) => [state, (await rows.effects(id, state, PAGE)).length] as const),
  );
  return Object.fromEntries(counted) as Record<EffectState, number>;
}

export function checkpointsOf(id: TaskId): Promise<readonly CheckpointRow[]> {
  return rows.checkpoints(id, PAGE);
}

/** Checkpoints whose counts of files are not those of the files as of then. */
export async function wrongCheckpoints(id: TaskId, checkpoints: readonly CheckpointRow[]): Promise<readonly number[]> {
  const wrong: number[] = [];
  for (const { seq, counts } of checkpoints) {
    const page = await rows.pastOf(id, seq).page('file', null, PAGE);
    if (!page.ok) throw new FailureError(page.failure);
    const { steps } = page.value;
    const number = (status: StepRow['status']) => steps.filter((step) => step.status === status).length;
    const isRight =
      steps.length === counts.planned &&
      number('done') === counts.done + counts.reused &&
      number('failed') === counts.failed &&
      number('skipped') === counts.skipped;
    if (!isRight) wrong.push(seq);
  }
  return wrong;
}

/** Everything that the task is made of, as text. */
export async function wholeTask(id: TaskId): Promise<string> {
  const [task, steps, checkpoints] = await Promise.all([rows.task(id), allSteps(id), checkpointsOf(id)]);
  return JSON.stringify({ task, steps: [...steps].sort(byKey), checkpoints });
}

function byKey(a: { readonly key: StepKey }, b: { readonly key: StepKey }): number {
  return a.key < b.key ? -1 : 1;
}
