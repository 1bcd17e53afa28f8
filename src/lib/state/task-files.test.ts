import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failure } from '../core/failure';
import { fileStepKey, stepKey, taskId } from '../core/ids';
import { NO_FLAGS, type StepRow, type StepStatus } from '../core/step';
import {
  NO_FILES,
  fileView,
  filterFiles,
  isSpent,
  lastSettled,
  mergeFiles,
  orderFiles,
  settledOverTime,
  type FileView,
} from './task-files';

function step(path: string, more: Partial<StepRow> = {}): StepRow {
  return {
    v: 1,
    taskId: taskId('t'),
    key: fileStepKey(path),
    type: 'file',
    status: 'pending',
    seq: 1,
    file: { path, sizeBytes: 1, modifiedMs: 0, digest: null },
    inputs: [],
    level: 0,
    inputHash: null,
    resultKey: null,
    excerpt: '',
    outputTokens: 0,
    attempts: 0,
    history: [],
    failure: null,
    flags: NO_FLAGS,
    usage: { promptTokens: 0, completionTokens: 0, estimated: false },
    durationMs: 0,
    finishedMs: null,
    requests: 0,
    reading: null,
    ...more,
  };
}

const paths = (rows: readonly FileView[]) => rows.map((row) => row.path);
const view = (path: string, more: Partial<StepRow> = {}): FileView => {
  const made = fileView(step(path, more));
  if (made === null) throw new Error('not a file');
  return made;
};

describe('fileView', () => {
  it('tells of an answer that ends early, and only while it is the answer', () => {
    const flags = { ...NO_FLAGS, truncated: true };
    expect(view('a', { status: 'done', flags }).truncated).toBe(true);
    expect(view('a', { status: 'pending', flags }).truncated).toBe(false);
    expect(view('a', { status: 'done' }).truncated).toBe(false);
  });
});

describe('lastSettled', () => {
  it('is the newest, whatever the order', () => {
    expect(lastSettled([view('a', { finishedMs: 5 }), view('b', { finishedMs: 9 }), view('c')])).toBe(9);
    expect(lastSettled([view('a')])).toBeNull();
  });
});

describe('isSpent', () => {
  const counts = { planned: 4, running: 0, done: 1, reused: 0, failed: 1, skipped: 0 };

  it.each([
    ['all', { planned: 0, done: 0, failed: 0 }, false],
    ['failed', {}, false],
    ['failed', { failed: 0 }, true],
    ['skipped', {}, true],
    ['done', { done: 0, reused: 1 }, false],
    ['done', { done: 0 }, true],
    ['running', {}, false],
    ['running', { done: 3 }, true],
    ['running', { done: 2, running: 1 }, false],
  ] as const)('%s of %j: %s', (filter, more, spent) => {
    expect(isSpent(filter, { ...counts, ...more })).toBe(spent);
  });
});

describe('mergeFiles', () => {
  it('keeps files in path order whatever order they come in', () => {
    const first = mergeFiles(NO_FILES, [step('b'), step('d')]);
    const second = mergeFiles(first, [step('c'), step('a'), step('e')]);
    expect(paths(second.rows)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(second.places.get(fileStepKey('d'))).toBe(3);
  });

  it('replaces a changed file in its place and leaves the list before as it was', () => {
    const before = mergeFiles(NO_FILES, [step('a'), step('b')]);
    const after = mergeFiles(before, [step('b', { status: 'failed', failure: failure('file_unreadable') })]);
    expect(after.rows[1]).toMatchObject({ path: 'b', status: 'failed', code: 'file_unreadable' });
    expect(before.rows[1]).toMatchObject({ status: 'pending', code: null });
    expect(after.places).toBe(before.places);
  });

  it('is the same list when only parts and merges changed', () => {
    const before = mergeFiles(NO_FILES, [step('a')]);
    expect(mergeFiles(before, [step('a', { key: stepKey('merge/1/x'), type: 'merge', file: null })])).toBe(before);
  });

  it('ends up with the newest row of every path, however the changes are cut into pages', () => {
    const statuses: readonly StepStatus[] = ['pending', 'running', 'done', 'failed', 'skipped'];
    const change = fc.record({
      path: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
      status: fc.constantFrom(...statuses),
    });
    fc.assert(
      fc.property(fc.array(fc.array(change, { maxLength: 6 }), { maxLength: 8 }), (pages) => {
        const list = pages.reduce(
          (sum, page) =>
            mergeFiles(
              sum,
              page.map(({ path, status }) => step(path, { status })),
            ),
          NO_FILES,
        );
        const newest = new Map(pages.flat().map(({ path, status }) => [path, status]));
        expect(list.rows.map((row) => [row.path, row.status])).toEqual(
          [...newest].sort(([a], [b]) => (a < b ? -1 : 1)),
        );
        list.rows.forEach((row, place) => expect(list.places.get(row.key)).toBe(place));
      }),
    );
  });
});

describe('filterFiles', () => {
  const rows = [
    view('2026/访谈-214 王女士.docx', { status: 'done', excerpt: '社区医疗' }),
    view('2026/Interview-215.txt', { status: 'running' }),
    view('scan.pdf', { status: 'failed' }),
  ];

  it('finds words in names and results, in any case and any script', () => {
    expect(paths(filterFiles(rows, 'all', 'INTERVIEW 2026'))).toEqual(['2026/Interview-215.txt']);
    expect(paths(filterFiles(rows, 'all', '社区'))).toEqual(['2026/访谈-214 王女士.docx']);
  });

  it('keeps to the chosen state', () => {
    expect(paths(filterFiles(rows, 'failed', ''))).toEqual(['scan.pdf']);
    expect(filterFiles(rows, 'failed', 'interview')).toEqual([]);
  });

  it('costs nothing when nothing is asked for', () => {
    expect(filterFiles(rows, 'all', '  ')).toBe(rows);
  });
});

describe('orderFiles', () => {
  const rows = [
    view('a', { status: 'done', durationMs: 5 }),
    view('b', { durationMs: 9 }),
    view('c', { status: 'running', durationMs: 5 }),
  ];

  it('sorts by state with what moves first, and by time with ties in path order', () => {
    expect(paths(orderFiles(rows, { column: 'state', descending: false }))).toEqual(['c', 'a', 'b']);
    expect(paths(orderFiles(rows, { column: 'time', descending: true }))).toEqual(['b', 'a', 'c']);
  });
});

describe('settledOverTime', () => {
  it('counts files by when they finished, newest last, and leaves older ones out', () => {
    const rows = [950, 910, 400, -50].map((finishedMs, n) => view(`f${n}`, { status: 'done', finishedMs }));
    expect(settledOverTime([...rows, view('waiting')], 1000, 1000, 4)).toEqual([0, 1, 0, 2]);
  });
});
