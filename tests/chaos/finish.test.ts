import { expect, test } from 'vitest';
import type { SeenTask } from './chaos-types';
import { helpFor, isDone } from './finish.mjs';

const DONE: SeenTask = {
  id: '1',
  name: 'alpha',
  status: 'completed',
  reason: null,
  code: null,
  output: 'written',
  seq: 1,
  epoch: 1,
  failed: 0,
  finishedMs: 1,
  rebuiltMs: null,
};

test('done is written, with nothing failed', () => {
  expect(isDone(DONE)).toBe(true);
  expect(isDone({ ...DONE, output: 'due' })).toBe(false);
  expect(isDone({ ...DONE, failed: 1 })).toBe(false);
  expect(isDone({ ...DONE, status: 'running' })).toBe(false);
});

test('a task that is to look again is done when it has finished anew', () => {
  expect(isDone(DONE, 1)).toBe(false);
  expect(isDone({ ...DONE, epoch: 2 }, 1)).toBe(false);
  expect(isDone({ ...DONE, epoch: 2, finishedMs: 2 }, 1)).toBe(true);
});

test('help is what the screen offers, and what ends by itself only hurries', () => {
  const running = { ...DONE, status: 'running' };
  expect(helpFor(running)).toBeNull();
  const paused = { ...DONE, status: 'paused' };
  expect(helpFor({ ...paused, reason: 'attention' })).toEqual({ button: 'continue', isAsked: true });
  expect(helpFor({ ...paused, reason: 'endpoint' })).toEqual({ button: 'continue', isAsked: false });
  expect(helpFor({ ...paused, reason: 'permission' })).toEqual({ button: 'grant-folder', isAsked: false });
  expect(helpFor({ ...DONE, failed: 2 })).toEqual({ button: 'retry-failed', isAsked: true });
  expect(helpFor({ ...DONE, status: 'failed' })).toEqual({ button: 'continue', isAsked: true });
  expect(helpFor({ ...DONE, output: 'refused' })).toEqual({ button: 'allow-writing', isAsked: true });
  expect(helpFor({ ...DONE, output: 'due' })).toBeNull();
});
