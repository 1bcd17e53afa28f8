import { describe, expect, it } from 'vitest';
import type { CheckpointRow } from '../core/checkpoint';
import { NO_COUNTS, type Counts } from '../core/counts';
import { taskId } from '../core/ids';
import { groupCheckpoints } from './checkpoint-groups';

const MINUTE_MS = 60_000;

function row(seq: number, fields: Partial<Omit<CheckpointRow, 'counts'>> & { counts?: Partial<Counts> } = {}) {
  const { counts, ...rest } = fields;
  const plain: CheckpointRow = {
    v: 1,
    taskId: taskId('t'),
    seq,
    epoch: 1,
    atMs: seq * 1_000,
    status: 'running',
    reason: null,
    stage: 'files',
    counts: { ...NO_COUNTS, planned: 9, ...counts },
    replaced: [],
    ...rest,
  };
  return plain;
}

const told = (rows: readonly CheckpointRow[], before: CheckpointRow | null = null) =>
  groupCheckpoints([...rows].reverse(), before).map(({ rows: { length }, turn, finished }) => [length, turn, finished]);

describe('groups of checkpoints', () => {
  it('hold what goes on between two turns, newest first', () => {
    const rows = [
      row(1, { counts: { planned: 0 } }),
      row(2),
      row(3, { counts: { done: 1 } }),
      row(4, { counts: { done: 3, failed: 1 } }),
      row(5, { counts: { done: 3, failed: 1 }, status: 'paused', reason: 'user' }),
      row(6, { counts: { done: 3, failed: 1 } }),
      row(7, { counts: { done: 3 } }),
      row(8, { counts: { done: 8, skipped: 1 } }),
      row(9, { counts: { done: 8, skipped: 1 }, stage: 'reporting' }),
      row(10, { counts: { done: 8, skipped: 1 }, stage: 'reporting', status: 'completed' }),
    ];
    expect(told(rows)).toEqual([
      [1, 'completed', 0],
      [1, 'reporting', 0],
      [1, null, 6],
      [1, 'retried', 0],
      [1, 'continued', 0],
      [1, 'paused', 0],
      [3, null, 4],
      [1, 'began', 0],
    ]);
  });

  it('are no longer than ten minutes and fifty rows, so that each can be looked through', () => {
    const slow = [0, 6, 12, 13].map((minute, n) => row(n + 5, { atMs: minute * MINUTE_MS }));
    expect(told(slow, row(4)).map(([length]) => length)).toEqual([3, 1]);
    const many = Array.from({ length: 120 }, (_, n) => row(n + 5, { atMs: n }));
    expect(told(many, row(4)).map(([length]) => length)).toEqual([50, 50, 20]);
  });

  it('of a page know what the page before ended with', () => {
    const before = row(4, { counts: { done: 4 } });
    expect(told([row(5, { counts: { done: 6 } })], before)).toEqual([[1, null, 2]]);
    expect(told([row(5, { status: 'paused' })], null)).toEqual([[1, 'paused', 0]]);
  });
});
