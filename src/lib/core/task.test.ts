import { describe, expect, test } from 'vitest';
import {
  SELF_ENDING,
  TASK_TRANSITIONS,
  canTaskMove,
  goesOnByItself,
  isFinished,
  type PauseReason,
  type TaskStatus,
} from './task';

const ALL = Object.keys(TASK_TRANSITIONS) as TaskStatus[];

describe('canTaskMove', () => {
  test.each(ALL)('%s may stay as it is', (status) => {
    expect(canTaskMove(status, status)).toBe(true);
  });

  test('only a running task completes or fails', () => {
    expect(ALL.filter((status) => TASK_TRANSITIONS[status].includes('completed'))).toEqual(['running']);
    expect(ALL.filter((status) => TASK_TRANSITIONS[status].includes('failed'))).toEqual(['running']);
  });

  test('every state can be left for running, so that no task is lost', () => {
    for (const status of ALL.filter((each) => each !== 'running')) expect(canTaskMove(status, 'running')).toBe(true);
  });

  test('a paused task cannot be called complete', () => {
    expect(canTaskMove('paused', 'completed')).toBe(false);
  });
});

describe('goesOnByItself', () => {
  test('a task that was running when everything stopped goes on', () => {
    expect(goesOnByItself({ status: 'running', reason: null })).toBe(true);
    expect(goesOnByItself({ status: 'pending', reason: null })).toBe(true);
  });

  test.each<PauseReason>(['network', 'endpoint', 'permission', 'storage'])(
    'a task that waits for %s goes on',
    (reason) => {
      expect(goesOnByItself({ status: 'paused', reason })).toBe(true);
      expect(SELF_ENDING).toContain(reason);
    },
  );

  test.each<PauseReason>(['user', 'approval', 'attention'])('a task paused for %s waits for the person', (reason) => {
    expect(goesOnByItself({ status: 'paused', reason })).toBe(false);
  });

  test.each(ALL.filter(isFinished))('a %s task stays as it is', (status) => {
    expect(goesOnByItself({ status, reason: null })).toBe(false);
  });
});
