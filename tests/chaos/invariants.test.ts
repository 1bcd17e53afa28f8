import { expect, test } from 'vitest';
import type { Question, SeenState } from './chaos-types';
import { judge, repeatedCalls } from './invariants.mjs';
import type { Account, TaskOutput } from './invariants.mjs';
import type { Written } from './written.mjs';

const FILES = ['a.txt', 'b.txt'];

const SOUND: Written = {
  folders: 1,
  report: '# alpha\n\nSummary of the summaries 0123456789ab',
  table: { 'a.txt': 'done | one', 'b.txt': 'done | two' },
  results: { 'a.txt.md': 'one', 'b.txt.md': 'two' },
  rows: 2,
  leftovers: 0,
};

const LAST: SeenState = { tasks: [], endpoints: 2, saved: ['d1', 'd2'] };

function asked(digest: string, isSpoiled = false): Question {
  return { digest, task: 'alpha', isSpoiled };
}

function account(changes: Partial<Account> = {}, task: Partial<TaskOutput> = {}): Account {
  return {
    tasks: [{ name: 'alpha', files: FILES, everSeen: new Set(FILES), disturbed: SOUND, undisturbed: SOUND, ...task }],
    questions: [asked('d1'), asked('d2')],
    savedAt: new Map([
      ['d1', 1],
      ['d2', 2],
    ]),
    allowedRepeats: 2,
    most: { tasks: 0, endpoints: 2 },
    last: LAST,
    stuck: [],
    ...changes,
  };
}

function broken(given: Account): string[] {
  return [...new Set(judge(given).map(({ invariant }) => invariant))];
}

test('a sound run breaks nothing', () => {
  expect(judge(account())).toEqual([]);
});

test('a report, a row or a result that is not what it would have been', () => {
  const differs = ['report equals the undisturbed run'];
  expect(broken(account({}, { disturbed: { ...SOUND, report: '# alpha' } }))).toEqual(differs);
  const table = { ...SOUND.table, 'b.txt': 'failed | ' };
  expect(broken(account({}, { disturbed: { ...SOUND, table } }))).toEqual(differs);
  const stale = { ...SOUND.table, 'gone.txt': 'done | three' };
  expect(broken(account({}, { disturbed: { ...SOUND, table: stale, rows: 3 } }))).toEqual(differs);
  const results = { ...SOUND.results, 'a.txt.md': 'two' };
  expect(broken(account({}, { disturbed: { ...SOUND, results } }))).toEqual(differs);
});

test('a question that is asked again after its answer was seen saved', () => {
  const questions = [asked('d1'), asked('d2'), asked('d1')];
  expect(broken(account({ questions }))).toEqual(['no finished model call repeated']);
  // Before it was seen to be saved it was in flight, for all that is known.
  const savedAt = new Map([['d1', 3]]);
  expect(broken(account({ questions, savedAt }))).toEqual([]);
});

test('more repeated calls than were in flight, those that the server spoiled left out', () => {
  const questions = [asked('x', true), asked('x', true), asked('x'), asked('y'), asked('y'), asked('y'), asked('y')];
  expect(repeatedCalls(questions)).toBe(3);
  expect(broken(account({ questions, savedAt: new Map() }))).toEqual(['repeated calls within what was in flight']);
  expect(broken(account({ questions, savedAt: new Map(), allowedRepeats: 3 }))).toEqual([]);
});

test('effects that are there twice, not at all, or without a file', () => {
  const effects = ['every effect exactly once'];
  const given = (changes: Partial<Written>) => {
    const written = { ...SOUND, ...changes };
    return account({}, { disturbed: written, undisturbed: written });
  };
  expect(broken(given({ folders: 2 }))).toEqual(effects);
  expect(broken(given({ rows: 3 }))).toEqual(effects);
  expect(broken(given({ results: { 'a.txt.md': 'one' } }))).toEqual(effects);
  expect(broken(given({ results: { ...SOUND.results, 'a (2).txt.md': 'one' } }))).toEqual(effects);
});

test('a result of a file that was there and is gone is nobody else’s', () => {
  const results = { ...SOUND.results, 'c.txt.md': 'three' };
  const everSeen = new Set([...FILES, 'c.txt']);
  expect(broken(account({}, { disturbed: { ...SOUND, results }, everSeen }))).toEqual([]);
});

test('a stuck task is told as such, and not compared', () => {
  const written = { ...SOUND, folders: 0, report: '', results: {} };
  const given = account({ stuck: ['alpha: nothing for 150 s'] }, { disturbed: written, undisturbed: null });
  expect(broken(given)).toEqual(['no task stuck']);
});

test('answers, tasks and endpoints that are gone', () => {
  const lost = ['nothing that was saved is lost'];
  expect(broken(account({ last: { ...LAST, saved: ['d1'] } }))).toEqual(lost);
  expect(broken(account({ last: { ...LAST, endpoints: 1 } }))).toEqual(lost);
  expect(broken(account({ most: { tasks: 1, endpoints: 2 } }))).toEqual(lost);
  expect(broken(account({ last: null }))).toEqual(lost);
});
