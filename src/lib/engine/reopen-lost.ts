import { mergeDrafts } from '../core/commit';
import type { StepKey } from '../core/ids';
import type { CheckpointStore } from '../core/ports';
import { readableResults } from '../core/readable-results';
import { ok, type Result } from '../core/result';
import type { StepRow, StepType } from '../core/step';
import type { OwnedTask } from './owned-task';
import { reopenedStep, stepDraft } from './step-rows';

const PAGE = 200;
const TYPES: readonly StepType[] = ['file', 'merge', 'section'];

/**
 * Finished steps whose answer is not there any more, or cannot be read, become pending again, before a report is made
 * without them. Resolves to how many. `row_from_newer_version` when an answer is whole but not ours to read.
 */
export async function reopenLost(owned: OwnedTask): Promise<Result<number>> {
  const { store } = owned.ports;
  let reopened = 0;
  for (const type of TYPES) {
    for (let after: StepKey | null = null; ;) {
      const page: Result<readonly StepRow[]> = await store.stepsOfType(owned.row.id, type, after, PAGE);
      if (!page.ok) return page;
      const lost = await withoutAnswer(store, page.value);
      if (!lost.ok) return lost;
      if (lost.value.length > 0) await owned.submit(mergeDrafts(lost.value.map((step) => stepDraft(step, anew(step)))));
      reopened += lost.value.length;
      const last = page.value.at(-1);
      if (!last || page.value.length < PAGE) break;
      after = last.key;
    }
  }
  if (reopened > 0)
    await owned.submit({ activity: [{ what: 'answers_lost', details: { steps: reopened }, failure: null }] });
  return ok(reopened);
}

async function withoutAnswer(store: CheckpointStore, steps: readonly StepRow[]): Promise<Result<readonly StepRow[]>> {
  const done = steps.flatMap((step) =>
    step.status === 'done' && step.resultKey !== null ? [{ step, key: step.resultKey }] : [],
  );
  const answers = await readableResults(
    store,
    done.map(({ key }) => key),
  );
  return answers.ok ? ok(done.filter((_, index) => !answers.value[index]).map(({ step }) => step)) : answers;
}

/** What it was answered is forgotten with the answer: the next one repeats nothing. */
function anew(step: StepRow): StepRow {
  return { ...reopenedStep(step), inputHash: null, resultKey: null };
}
