import { describe, expect, it } from 'vitest';
import { fileStepKey, resultKey } from '../../core/ids';
import type { Evidence, RunEvidence } from './evidence';
import { judge, PROPERTIES } from './judge';

const FINISHED = { key: fileStepKey('a.txt'), seq: 4, resultKey: resultKey('r') };
const TABLE = 'file,state\r\na.txt,done,no,,"Two, or more",1,1,9,9,0.4,utf-8,no,no,2026-11-30T02:00:00.000Z\r\n';

const effects = (intended: number, done: number) => ({
  intended,
  done,
  in_doubt: 0,
  contested: 0,
  approved: 0,
  abandoned: 0,
});

function run(fields: Partial<RunEvidence> = {}): RunEvidence {
  return {
    point: 'after-commit',
    stops: 1,
    durationMs: 10,
    report: 'The report.',
    written: { 'report.md': 'The report.', 'results.csv': TABLE },
    finishedBefore: [FINISHED],
    finishedAfter: [FINISHED],
    requests: 3,
    repeated: 0,
    effects: effects(0, 2),
    wrongCheckpoints: [],
    checkpoints: 5,
    ...fields,
  };
}

function evidence(disturbed: Partial<RunEvidence> = {}, fields: Partial<Evidence> = {}): Evidence {
  return {
    undisturbed: run({ point: null, stops: 0 }),
    disturbed: [run(disturbed)],
    fork: {
      durationMs: 5,
      parentBefore: '{}',
      parentAfter: '{}',
      report: 'The report.',
      parentReport: 'The report.',
      requests: 0,
    },
    crowd: { durationMs: 7, workers: 8, owners: 1, run: run({ point: null }) },
    ...fields,
  };
}

const failing = (seen: Evidence) =>
  judge(seen).flatMap(({ property, faults }) => (faults.length > 0 ? [property] : []));

describe('what was seen', () => {
  it('holds in all six when nothing speaks against it, times in the table aside', () => {
    const later = TABLE.replace('0.4', '12.5').replace('T02:', 'T03:');
    expect(failing(evidence({ written: { 'report.md': 'The report.', 'results.csv': later } }))).toEqual([]);
    expect(judge(evidence()).map(({ property }) => property)).toEqual(PROPERTIES);
  });

  it.each([
    ['prefix', { finishedAfter: [{ ...FINISHED, seq: 9 }] }],
    ['prefix', { finishedAfter: [] }],
    ['prefix', { stops: 0 }],
    ['effects', { written: { 'report.md': 'Half', 'results.csv': TABLE } }],
    ['effects', { written: { ...run().written, 'report (2).md': 'The report.' } }],
    ['effects', { written: { ...run().written, 'results.csv': TABLE.replace('Two', 'Three') } }],
    ['effects', { effects: effects(1, 2) }],
    ['effects', { effects: effects(0, 3) }],
    ['checkpoints', { wrongCheckpoints: [3] }],
    ['consume-once', { repeated: 1 }],
    ['consume-once', { requests: 4 }],
    ['recovery', { report: 'Another report.' }],
  ] satisfies [string, Partial<RunEvidence>][])('fails in %s for %o', (property, fields) => {
    expect(failing(evidence(fields))).toEqual([property]);
  });

  it.each([
    ['fork', { fork: { ...evidence().fork, parentAfter: '{"changed":true}' } }],
    ['fork', { fork: { ...evidence().fork, report: 'Another.' } }],
    ['fork', { fork: { ...evidence().fork, requests: 1 } }],
    ['consume-once', { crowd: { ...evidence().crowd, owners: 2 } }],
  ] satisfies [string, Partial<Evidence>][])('fails in %s for %o', (property, fields) => {
    expect(failing(evidence({}, fields))).toEqual([property]);
  });
});
