import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sampleCommit, sampleResult, sampleStep, sampleTask } from '../testing/sample-rows';
import { applyCommit, mergeDrafts, type CommitDraft } from './commit';
import { NO_COUNTS } from './counts';
import { fileStepKey } from './ids';
import type { StepRow } from './step';

const path = fc.constantFrom('a.txt', 'b.txt', 'c.txt');
const small = fc.integer({ min: 0, max: 5 });
const status = fc.constantFrom<StepRow['status']>('pending', 'running', 'done', 'failed');

const draft: fc.Arbitrary<CommitDraft> = fc.record(
  {
    task: fc.record(
      { reason: fc.constantFrom(null, 'user' as const), name: fc.constantFrom('one', 'two') },
      { requiredKeys: [] },
    ),
    counts: fc.record({
      planned: small,
      running: fc.integer({ min: -3, max: 3 }),
      done: small,
      reused: small,
      failed: small,
      skipped: small,
    }),
    usage: fc.record({ promptTokens: small, completionTokens: small, estimated: fc.boolean() }),
    requests: small,
    activeMs: small,
    steps: fc.array(
      fc.tuple(path, status).map(([file, state]) => sampleStep(file, { status: state })),
      { maxLength: 3 },
    ),
    removedSteps: fc.array(path.map(fileStepKey), { maxLength: 2 }),
    results: fc.array(
      fc.tuple(path, small).map(([key, n]) => sampleResult(key, { output: String(n) })),
      { maxLength: 2 },
    ),
    durability: fc.constantFrom('strict', 'relaxed'),
  },
  { requiredKeys: [] },
);

/** What a store holds after a draft: removals first, then rows; a stored result stays as it is. */
function afterDraft(
  stored: { steps: Map<string, StepRow>; results: Map<string, string> },
  { removedSteps = [], steps = [], results = [] }: CommitDraft,
) {
  for (const key of removedSteps) stored.steps.delete(key);
  for (const step of steps) stored.steps.set(step.key, step);
  for (const result of results) if (!stored.results.has(result.key)) stored.results.set(result.key, result.output);
  return stored;
}

/** A merged draft without the order of its rows, which means nothing within one transaction. */
function keyed(merged: ReturnType<typeof mergeDrafts>) {
  return {
    ...merged,
    steps: new Map(merged.steps.map((step) => [step.key, step])),
    removedSteps: new Set(merged.removedSteps),
  };
}

const empty = () => ({ steps: new Map<string, StepRow>(), results: new Map<string, string>() });

describe('mergeDrafts', () => {
  test('one merged commit leaves the rows that the drafts leave one after the other', () => {
    fc.assert(
      fc.property(fc.array(draft, { maxLength: 5 }), (drafts) => {
        const oneByOne = drafts.reduce(afterDraft, empty());
        const together = afterDraft(empty(), mergeDrafts(drafts));
        expect(together.steps).toEqual(oneByOne.steps);
        expect(together.results).toEqual(oneByOne.results);
      }),
    );
  });

  test('one merged commit leaves the task that the drafts leave one after the other, but for the sequence', () => {
    fc.assert(
      fc.property(fc.array(draft, { minLength: 1, maxLength: 5 }), (drafts) => {
        const task = sampleTask({ epoch: 3 });
        const oneByOne = drafts.reduce((row, each) => applyCommit(row, sampleCommit(task, each)), task);
        const together = applyCommit(task, { ...sampleCommit(task), ...mergeDrafts(drafts) });
        expect(together).toEqual({ ...oneByOne, seq: task.seq + 1 });
      }),
    );
  });

  test('merging may be done in any grouping', () => {
    fc.assert(
      fc.property(draft, draft, draft, (a, b, c) => {
        expect(keyed(mergeDrafts([mergeDrafts([a, b]), c]))).toEqual(keyed(mergeDrafts([a, mergeDrafts([b, c])])));
      }),
    );
  });

  test('a step that was removed and made again is not removed', () => {
    const step = sampleStep('a.txt');
    const merged = mergeDrafts([{ removedSteps: [step.key] }, { steps: [step] }]);
    expect(merged.removedSteps).toEqual([]);
    expect(merged.steps).toEqual([step]);
  });

  test('is strict as soon as one draft is', () => {
    expect(mergeDrafts([{}, { durability: 'strict' }, { durability: 'relaxed' }]).durability).toBe('strict');
    expect(mergeDrafts([]).durability).toBe('relaxed');
  });
});

describe('applyCommit', () => {
  test('adds counters, sets fields, and moves the sequence by one', () => {
    const task = sampleTask({ seq: 7, epoch: 2, requests: 4, counts: { ...NO_COUNTS, planned: 3, running: 1 } });
    const after = applyCommit(
      task,
      sampleCommit(task, { task: { status: 'running' }, counts: { ...NO_COUNTS, running: -1, done: 1 }, requests: 1 }),
    );
    expect(after).toMatchObject({ seq: 8, epoch: 2, requests: 5, status: 'running' });
    expect(after.counts).toEqual({ ...NO_COUNTS, planned: 3, done: 1 });
    expect(after.updatedMs).toBe(task.updatedMs + 1_000);
  });
});
