import { expect, test } from 'vitest';
import { playwrightFailedNames, vitestFailedNames } from './failed-names.mjs';

test('names the tests that failed, wherever they stand', () => {
  const tests = [
    { status: 'passed', fullName: 'holds' },
    { status: 'failed', fullName: 'outer breaks' },
  ];
  expect(vitestFailedNames({ testResults: [{ name: 'a.test.ts', assertionResults: tests }] })).toEqual([
    'a.test.ts > outer breaks',
  ]);
  const spec = (title: string, ok: boolean) => ({ file: 'b.spec.ts', title, ok });
  const inner = { specs: [spec('in', false)] };
  expect(playwrightFailedNames({ suites: [{ specs: [spec('out', true)], suites: [inner] }] })).toEqual([
    'b.spec.ts > in',
  ]);
});

test('names nothing where there is no report', () => {
  expect(vitestFailedNames(null)).toEqual([]);
  expect(playwrightFailedNames(null)).toEqual([]);
});
