import { describe, expect, test } from 'vitest';
import {
  MAX_ATTEMPTS_KEPT,
  STEP_TRANSITIONS,
  canStepMove,
  isSettled,
  withAttempt,
  type Attempt,
  type StepStatus,
} from './step';

const ALL = Object.keys(STEP_TRANSITIONS) as StepStatus[];

describe('canStepMove', () => {
  test.each(ALL)('%s may stay as it is', (status) => {
    expect(canStepMove(status, status)).toBe(true);
  });

  test('a done step never fails, and never runs again without becoming pending first', () => {
    expect(canStepMove('done', 'failed')).toBe(false);
    expect(canStepMove('done', 'running')).toBe(false);
    expect(canStepMove('done', 'pending')).toBe(true);
  });

  test('a failed step is only ever tried again', () => {
    expect(canStepMove('failed', 'done')).toBe(false);
    expect(canStepMove('failed', 'pending')).toBe(true);
  });

  test('an interrupted step goes back to pending', () => {
    expect(canStepMove('running', 'pending')).toBe(true);
  });

  test('every settled state can be left, so that nothing is stuck for ever', () => {
    for (const status of ALL.filter(isSettled)) expect(canStepMove(status, 'pending')).toBe(true);
  });
});

describe('withAttempt', () => {
  const attempt = (startedMs: number): Attempt => ({ startedMs, durationMs: 5, outcome: 'failed', code: 'stream_cut' });

  test('keeps the newest, in order, and changes nothing in place', () => {
    let history: readonly Attempt[] = [];
    for (let at = 1; at <= MAX_ATTEMPTS_KEPT + 3; at += 1) {
      const before = history;
      history = withAttempt(history, attempt(at));
      expect(before.length).toBeLessThanOrEqual(MAX_ATTEMPTS_KEPT);
      expect(before).not.toBe(history);
    }
    expect(history.map(({ startedMs }) => startedMs)).toEqual([4, 5, 6, 7, 8, 9, 10, 11]);
  });

  test.each(['waited', 'interrupted'] as const)(
    'forgets tries that were %s before those that teach something',
    (outcome) => {
      const taught = [1, 2, 3].map(attempt);
      let history: readonly Attempt[] = taught;
      for (let at = 4; at <= 3 * MAX_ATTEMPTS_KEPT; at += 1)
        history = withAttempt(history, { ...attempt(at), outcome });
      expect(history).toHaveLength(MAX_ATTEMPTS_KEPT);
      expect(history.slice(0, 3)).toEqual(taught);
      expect(history.at(-1)?.startedMs).toBe(3 * MAX_ATTEMPTS_KEPT);
    },
  );
});
