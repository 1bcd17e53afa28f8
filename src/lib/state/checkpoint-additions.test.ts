import { expect, it } from 'vitest';
import { NO_COUNTS } from '../core/counts';
import type { StepRow } from '../core/step';
import { sampleStep } from '../testing/sample-rows';
import { additionOf } from './checkpoint-additions';

const step = (key: string, fields: Partial<StepRow>) => ({ ...sampleStep(key), ...fields });
const counts = (done: number, planned: number) => ({ ...NO_COUNTS, done, planned });

it('is what ended and what was planned with that commit, and nothing of the others', () => {
  const steps = [
    step('a', { type: 'file', seq: 7, status: 'done', addedSeq: 2 }),
    step('b', { type: 'file', seq: 7, status: 'running', addedSeq: 2 }),
    step('c', { type: 'file', seq: 8, status: 'done', addedSeq: 7 }),
    step('m', { type: 'merge', seq: 9, status: 'done', addedSeq: 7 }),
  ];
  const found = additionOf(
    { seq: 7, counts: counts(3, 5), replaced: [step('d', { status: 'done' })] },
    { counts: counts(2, 4) },
    steps,
  );
  expect(found.ended.map(({ file }) => file?.path)).toEqual(['a']);
  expect(found).toMatchObject({ planned: 1, found: 1, finished: 1, takenBack: 1 });
});

it('counts from nothing where nothing came before, and never below', () => {
  expect(additionOf({ seq: 1, counts: counts(0, 4), replaced: [] }, null, [])).toMatchObject({ found: 4, finished: 0 });
  expect(additionOf({ seq: 2, counts: counts(1, 3), replaced: [] }, { counts: counts(2, 4) }, [])).toMatchObject({
    found: 0,
    finished: 0,
  });
});
