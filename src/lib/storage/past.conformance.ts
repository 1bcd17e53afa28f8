/** Whatever commits a task has had, its past tells how its steps stood after each of them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeDrafts, type CommitDraft } from '../core/commit';
import { stepKey, taskId, type StepKey } from '../core/ids';
import { Past, untried, type PastPage } from '../core/past';
import type { CheckpointStore } from '../core/ports';
import { isSettled, type StepRow, type StepStatus, type StepType } from '../core/step';
import { sampleStep, sampleTask } from '../testing/sample-rows';
import { begin, commitTo, valueOf } from './checkpoint-store.conformance';

const TYPES: readonly StepType[] = ['file', 'merge'];
const KEYS = ['file/a', 'file/b', 'file/b/c', 'merge/01/a', 'merge/01/b'].map(stepKey);
const STATUSES: readonly StepStatus[] = ['pending', 'running', 'done', 'failed', 'skipped'];

interface Move {
  readonly key: StepKey;
  /** Null removes the step. */
  readonly to: StepStatus | null;
}

const commits = fc.array(
  fc.uniqueArray(
    fc.record<Move>({ key: fc.constantFrom(...KEYS), to: fc.option(fc.constantFrom(...STATUSES), { freq: 6 }) }),
    { minLength: 1, maxLength: 3, selector: ({ key }) => key },
  ),
  { maxLength: 14 },
);

function stepDraft(before: StepRow | null, after: StepRow): CommitDraft {
  return { steps: [after], replaced: before && isSettled(before.status) ? [before] : [] };
}

/** As the engine writes: what was finished and is not any more is kept, and so is what goes. */
async function draftOf(store: CheckpointStore, id: StepRow['taskId'], moves: readonly Move[]): Promise<CommitDraft> {
  const before = valueOf(
    await store.steps(
      id,
      moves.map(({ key }) => key),
    ),
  );
  return mergeDrafts(
    moves.flatMap(({ key, to }, n): CommitDraft[] => {
      const step = before[n] ?? null;
      if (to === null) return step === null ? [] : [{ removedSteps: [key], replaced: [step] }];
      const type = key.startsWith('merge/') ? 'merge' : 'file';
      const fresh = sampleStep(key, { taskId: id, key, type });
      return [stepDraft(step, { ...(step ?? fresh), status: to, attempts: (step?.attempts ?? 0) + 1 })];
    }),
  );
}

async function stepsNow(store: CheckpointStore, id: StepRow['taskId']): Promise<readonly StepRow[]> {
  const pages = await Promise.all(TYPES.map((type) => store.stepsOfType(id, type, null, 99)));
  return pages.flatMap((page) => valueOf(page)).map((step) => (isSettled(step.status) ? step : untried(step)));
}

async function stepsThen(store: CheckpointStore, id: StepRow['taskId'], seq: number, pageSize: number) {
  const past = new Past(store, id, seq);
  const steps: StepRow[] = [];
  for (const type of TYPES) {
    let after: StepKey | null = null;
    do {
      const page: PastPage = valueOf(await past.page(type, after, pageSize));
      steps.push(...page.steps);
      after = page.next;
    } while (after !== null);
  }
  return steps;
}

export function pastConformance(create: () => Promise<CheckpointStore>, runs: number): void {
  describe('the past', () => {
    it('of every commit is what the store had then, whatever came after', async () => {
      const store = await create();
      let n = 0;
      await fc.assert(
        fc.asyncProperty(commits, fc.integer({ min: 1, max: 4 }), async (drafts, pageSize) => {
          n += 1;
          const { id } = sampleTask({ id: taskId(`past-${String(n)}`) });
          let task = await begin(store, { id });
          const had = [await stepsNow(store, id)];
          for (const moves of drafts) {
            task = await commitTo(store, task, await draftOf(store, id, moves));
            had.push(await stepsNow(store, id));
          }
          for (const [seq, steps] of had.entries()) {
            expect(await stepsThen(store, id, seq, pageSize)).toEqual(steps);
          }
        }),
        { numRuns: runs },
      );
    });

    it('stays as it was while the task goes on between two pages', async () => {
      const store = await create();
      const { id } = sampleTask();
      let task = await begin(store);
      const move = async (moves: readonly Move[]) => {
        task = await commitTo(store, task, await draftOf(store, id, moves));
      };
      await move(KEYS.map((key) => ({ key, to: 'pending' })));
      await move(KEYS.map((key) => ({ key, to: 'done' })));
      const had = await stepsNow(store, id);
      const past = new Past(store, id, task.seq);
      const first = valueOf(await past.page('file', null, 1));
      await move([
        { key: stepKey('file/b'), to: 'pending' },
        { key: stepKey('merge/01/a'), to: null },
      ]);
      await move([{ key: stepKey('merge/01/a'), to: 'failed' }]);
      const rest = [valueOf(await past.page('file', first.next, 9)), valueOf(await past.page('merge', null, 9))];
      expect([first, ...rest].flatMap(({ steps }) => steps)).toEqual(had);
    });

    it('of a step from before the first checkpoint: it was there', async () => {
      const store = await create();
      const { id } = sampleTask();
      const old = sampleStep('old.txt', { seq: 3, status: 'done' });
      const task = await commitTo(store, await begin(store), { steps: [old] });
      expect((await stepsThen(store, id, task.seq, 9)).map(({ key, status }) => [key, status])).toEqual([
        ['file/old.txt', 'done'],
      ]);
      const later = await commitTo(store, task, { ...stepDraft(old, { ...old, status: 'pending' }) });
      expect((await stepsThen(store, id, later.seq, 9)).map(({ status }) => status)).toEqual(['pending']);
      expect(await stepsThen(store, id, 0, 9)).toHaveLength(1);
    });
  });
}
