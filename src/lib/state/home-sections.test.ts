import { expect, test } from 'vitest';
import { failure } from '../core/failure';
import type { FailureCode } from '../core/failure-codes';
import type { OutputState, PauseReason, TaskRow, TaskStatus } from '../core/task';
import { expiresMs } from './expiry';
import { homeSection, homeSections, homeTotals, tellsFailures } from './home-sections';

const state = (status: TaskStatus, reason: PauseReason | null = null, code?: FailureCode) => ({
  status,
  reason,
  output: 'none' as OutputState,
  failure: code ? failure(code) : null,
});

test.each([
  [state('pending'), 'running'],
  [state('running'), 'running'],
  [state('paused', 'user'), 'waiting'],
  [state('paused', 'network', 'network_offline'), 'waiting'],
  [state('paused', 'endpoint', 'endpoint_unreachable'), 'waiting'],
  [state('paused', 'endpoint', 'cors_blocked'), 'needsYou'],
  [state('paused', 'endpoint', 'auth_failed'), 'needsYou'],
  [state('paused', 'permission', 'folder_permission'), 'needsYou'],
  [state('paused', 'storage', 'storage_full'), 'needsYou'],
  [state('paused', 'attention', 'folder_empty'), 'needsYou'],
  [state('paused', 'approval', 'effect_in_doubt'), 'needsYou'],
  [{ ...state('completed'), output: 'waiting' }, 'needsYou'],
  [{ ...state('completed'), output: 'written' }, 'finished'],
  [{ ...state('cancelled'), output: 'waiting' }, 'finished'],
  [state('completed'), 'finished'],
  [state('failed'), 'finished'],
  [state('cancelled'), 'finished'],
] as const)('%j stands under %s', (task, section) => {
  expect(homeSection(task)).toBe(section);
});

const task = (id: string, fields: Partial<TaskRow>) => ({ id, ...state('running'), ...fields }) as TaskRow;

test('every task stands in one section, and the last finished comes first', () => {
  const tasks = [
    task('a', { status: 'completed', finishedMs: 1 }),
    task('b', { status: 'running' }),
    task('c', { status: 'completed', finishedMs: 9 }),
    task('d', { status: 'paused', reason: 'user' }),
  ];
  const sections = homeSections(tasks);
  expect(sections.finished.map(({ id }) => id)).toEqual(['c', 'a']);
  expect(Object.values(sections).flat()).toHaveLength(tasks.length);
});

test('only a paused or a damaged task has a failure told on the first page', () => {
  const list = (...readable: TaskRow[]) => ({ readable, quarantined: [] });
  expect(tellsFailures(list(task('a', state('running')), task('b', state('paused', 'user'))))).toBe(false);
  expect(tellsFailures(list(task('a', state('failed', null, 'nothing_to_report'))))).toBe(false);
  expect(tellsFailures(list(task('a', state('paused', 'endpoint', 'cors_blocked'))))).toBe(true);
  const damaged = { id: 'a', name: '', failure: failure('row_unreadable') };
  expect(tellsFailures({ readable: [], quarantined: [damaged] })).toBe(true);
});

test('totals say nothing of repetition before anything was interrupted', () => {
  const counts = { planned: 9, running: 0, done: 4, reused: 2, failed: 1, skipped: 1 };
  const recovery = { atMs: 0, settledBefore: 3, repeated: 0, inFlight: 1, continuedTokens: 0 };
  expect(homeTotals([task('a', { counts, recovery: null })])).toEqual({ files: 6, repeated: null });
  expect(homeTotals([task('a', { counts, recovery: null }), task('b', { counts, recovery })])).toEqual({
    files: 12,
    repeated: 0,
  });
});

test('only finished tasks expire, and none when all are kept', () => {
  const finishedMs = Date.UTC(2026, 0, 1);
  const done = task('a', { status: 'completed', createdMs: finishedMs, finishedMs, updatedMs: finishedMs });
  expect(expiresMs(done, 30)).toBe(finishedMs + 30 * 86_400_000);
  expect(expiresMs(done, 0)).toBeNull();
  expect(expiresMs({ ...done, status: 'paused', finishedMs: null }, 30)).toBeNull();
  // What is taken in from a file counts from then, whenever it ended.
  expect(expiresMs({ ...done, updatedMs: finishedMs + 1_000 }, 30)).toBe(finishedMs + 1_000 + 30 * 86_400_000);
});
