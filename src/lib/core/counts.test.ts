import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sampleStep } from '../testing/sample-rows';
import { NO_COUNTS, addCounts, countsDelta, settled } from './counts';
import { NO_FLAGS, type StepRow, type StepStatus } from './step';

const statuses: readonly StepStatus[] = ['pending', 'running', 'done', 'failed', 'skipped'];
const row = fc
  .record({
    path: fc.constantFrom('a', 'b', 'c', 'd'),
    status: fc.constantFrom(...statuses),
    reused: fc.boolean(),
    type: fc.constantFrom<StepRow['type']>('file', 'file', 'part', 'merge'),
  })
  .map(({ path, status, reused, type }) => sampleStep(path, { status, type, flags: { ...NO_FLAGS, reused } }));

/** Counted from scratch, the way no row is ever counted in production. */
function recount(rows: Iterable<StepRow>) {
  const counts = { ...NO_COUNTS };
  for (const { type, status, flags } of rows) {
    if (type !== 'file') continue;
    counts.planned += 1;
    if (status === 'done') counts[flags.reused ? 'reused' : 'done'] += 1;
    else if (status !== 'pending') counts[status] += 1;
  }
  return counts;
}

describe('countsDelta', () => {
  test('running totals always equal a count from scratch', () => {
    const change = fc.oneof(
      row.map((after) => ({ key: after.key, after })),
      fc.record({ key: row.map(({ key }) => key), after: fc.constant(null) }),
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const rows = new Map<string, StepRow>();
        let totals = NO_COUNTS;
        for (const { key, after } of changes) {
          totals = addCounts(totals, countsDelta(rows.get(key) ?? null, after));
          if (after === null) rows.delete(key);
          else rows.set(key, after);
        }
        expect(totals).toEqual(recount(rows.values()));
      }),
    );
  });

  test('a change that changes nothing counts for nothing', () => {
    fc.assert(
      fc.property(row, (step) => {
        expect(countsDelta(step, step)).toEqual(NO_COUNTS);
      }),
    );
  });

  test('a reused file is counted apart from one that was asked', () => {
    const reused = sampleStep('a', { status: 'done', flags: { ...NO_FLAGS, reused: true } });
    expect(countsDelta(null, reused)).toEqual({ ...NO_COUNTS, planned: 1, reused: 1 });
  });
});

test('settled files are those that need nothing more', () => {
  expect(settled({ planned: 20, running: 3, done: 4, reused: 5, failed: 2, skipped: 1 })).toBe(12);
});
