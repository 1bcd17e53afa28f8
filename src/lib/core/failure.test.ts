import { describe, expect, test } from 'vitest';
import { failure, parkReason } from './failure';
import { FAILURES, FAILURE_CODES, isFailureCode, type FailureDefinition } from './failure-codes';

const definitions = FAILURE_CODES.map((code) => ({ code, ...(FAILURES[code] as FailureDefinition) }));

describe('the table of failures', () => {
  test.each(definitions)('$code is a stable, plain code', ({ code }) => {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(isFailureCode(code)).toBe(true);
  });

  test('only failures that wait or ask pause the task', () => {
    for (const { verdict, park } of definitions) if (park) expect(['wait', 'ask']).toContain(verdict);
  });

  test('a failure that asks pauses the task until the person comes', () => {
    for (const { verdict, park } of definitions)
      if (verdict === 'ask') expect(['attention', 'approval']).toContain(park);
  });

  test('the only waits in place are those whose end is known, or past', () => {
    const inPlace = definitions.filter(({ verdict, park }) => verdict === 'wait' && !park).map(({ code }) => code);
    expect(inPlace).toEqual(['rate_limited', 'rate_reached', 'sleep_interrupted']);
  });

  test('what is wrong with a file never pauses the others', () => {
    for (const { code, park } of definitions) if (code.startsWith('file_')) expect(park).toBeUndefined();
  });

  test.each(['toString', '__proto__', 'constructor', 'FILE_EMPTY', ''])('%j is no code', (name) => {
    expect(isFailureCode(name)).toBe(false);
  });
});

describe('failure', () => {
  test('carries kind and verdict of its code, and is plain data', () => {
    const value = failure('rate_limited', { message: 'HTTP 429', details: { waitMs: 3000 }, retryAfterMs: 3000 });
    expect(value).toEqual({
      code: 'rate_limited',
      kind: 'infrastructure',
      verdict: 'wait',
      message: 'HTTP 429',
      details: { waitMs: 3000 },
      retryAfterMs: 3000,
    });
    expect(structuredClone(value)).toEqual(value);
  });

  test('leaves out what was not told', () => {
    expect(failure('stream_cut')).toEqual({
      code: 'stream_cut',
      kind: 'infrastructure',
      verdict: 'retry',
      message: 'stream_cut',
      details: {},
    });
  });
});

test('parkReason names the pause, or null where the task holds in place', () => {
  expect(parkReason('network_offline')).toBe('network');
  expect(parkReason('folder_permission')).toBe('permission');
  expect(parkReason('rate_limited')).toBeNull();
  expect(parkReason('stream_cut')).toBeNull();
});
