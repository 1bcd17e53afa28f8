import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import type { CommitDraft } from '../core/commit';
import { fileStepKey, resultKey, stepKey, taskId } from '../core/ids';
import type { CheckpointStore } from '../core/ports';
import type { StepStatus } from '../core/step';
import { sampleCommit, sampleFolder, sampleResult, sampleStep, sampleTask } from '../testing/sample-rows';
import { valueOf } from './checkpoint-store.conformance';
import { IdbCheckpointStore } from './checkpoint-store-idb';
import { MemoryCheckpointStore } from './checkpoint-store-memory';
import { closeScratch, scratchConnection } from './scratch-database';

afterEach(closeScratch);

type Command =
  | { readonly do: 'create' | 'own' | 'remove'; readonly task: string }
  | { readonly do: 'commit'; readonly task: string; readonly epoch: number; readonly draft: CommitDraft };

const STATUSES: readonly StepStatus[] = ['pending', 'running', 'done', 'failed', 'skipped'];
const TASKS = ['t', 't0', 'tt', '任务'];
const PATHS = ['a', 'a/b', 'A', '文', '🎙', '\ud800', '/', '0', ''];
const RESULTS = ['r1', 'r2', 'r3'];

const task = fc.constantFrom(...TASKS);
const path = fc.constantFrom(...PATHS);
const result = fc.constantFrom(...RESULTS);

const draft = (id: string): fc.Arbitrary<CommitDraft> =>
  fc.record(
    {
      task: fc.record({ name: fc.string(), report: fc.option(result.map(resultKey)) }, { requiredKeys: [] }),
      steps: fc.array(
        fc
          .tuple(path, fc.constantFrom(...STATUSES), fc.option(result.map(resultKey)), fc.boolean())
          .map(([name, status, key, part]) =>
            sampleStep(name, {
              taskId: taskId(id),
              status,
              resultKey: key,
              ...(part ? { key: stepKey(`part/${name}#00000`), type: 'part', file: null } : {}),
            }),
          ),
        { maxLength: 4 },
      ),
      removedSteps: fc.array(path.map(fileStepKey), { maxLength: 2 }),
      results: fc.array(
        fc
          .tuple(result, fc.string(), fc.boolean())
          .map(([key, output, reusable]) => sampleResult(key, { output, reusable })),
        { maxLength: 2 },
      ),
      activity: fc.array(fc.constant({ what: 'planned' as const, details: {}, failure: null }), { maxLength: 2 }),
      requests: fc.nat(3),
    },
    { requiredKeys: [] },
  );

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('create' as const, 'own' as const), task }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), task }) },
  {
    weight: 6,
    arbitrary: task.chain((id) =>
      fc.record({ do: fc.constant('commit' as const), task: fc.constant(id), epoch: fc.nat(2), draft: draft(id) }),
    ),
  },
);

async function perform(store: CheckpointStore, step: Command): Promise<unknown> {
  const id = taskId(step.task);
  switch (step.do) {
    case 'create':
      return valueOf(await store.task(id)) === null ? store.createTask(sampleTask({ id }), sampleFolder()) : null;
    case 'own':
      return store.own(id, 5);
    case 'remove':
      return store.removeTask(id);
    case 'commit':
      return store.commit(sampleCommit(sampleTask({ id, epoch: step.epoch }), step.draft));
  }
}

/** All that a caller can ask of a store, small pages included. */
async function read(store: CheckpointStore): Promise<unknown> {
  const perTask = TASKS.map(taskId).map(async (id) => [
    await store.task(id),
    await store.steps(id, PATHS.map(fileStepKey)),
    await Promise.all(STATUSES.map((status) => store.stepsByStatus(id, status, 2))),
    await store.stepsOfType(id, 'file', null, 3),
    await store.stepsOfType(id, 'file', fileStepKey('a'), 3),
    await store.stepsOfType(id, 'part', fileStepKey('a'), 9),
    await store.stepsSince(id, 0, 2),
    await store.stepsSince(id, 2, 99),
    await store.activity(id, 3),
  ]);
  return [
    await Promise.all(perTask),
    await store.tasks(),
    await store.results(RESULTS.map(resultKey)),
    await store.folder(sampleFolder().id),
  ];
}

it('random commits leave both stores with equal rows', { timeout: 60_000 }, async () => {
  const script = fc.tuple(
    fc.uniqueArray(task, { minLength: 1, maxLength: 3 }),
    fc.array(command, { minLength: 1, maxLength: 14 }),
  );
  await fc.assert(
    fc.asyncProperty(script, async ([tasks, commands]) => {
      const [memory, idb] = [new MemoryCheckpointStore(), new IdbCheckpointStore(scratchConnection())];
      const opening = tasks.flatMap((id): Command[] => [
        { do: 'create', task: id },
        { do: 'own', task: id },
      ]);
      for (const step of [...opening, ...commands]) {
        expect(await perform(idb, step)).toEqual(await perform(memory, step));
      }
      expect(await read(idb)).toEqual(await read(memory));
    }),
    { numRuns: 40 },
  );
});
