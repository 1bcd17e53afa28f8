import { describe, expect, test } from 'vitest';
import { chaosCounts, checkCounts, lastLine, playwrightCounts, sumOf, vitestCounts } from './test-counts.mjs';

describe('vitestCounts', () => {
  const report = { numPassedTests: 9, numFailedTests: 2, numPendingTests: 1, numTodoTests: 1, testResults: [] };

  test('counts tests', () => {
    expect(vitestCounts(report, false)).toEqual({ passed: 9, failed: 2, skipped: 2 });
  });

  test('counts a file that did not load', () => {
    const broken = { ...report, numFailedTests: 0, testResults: [{ status: 'failed', assertionResults: [] }] };
    expect(vitestCounts(broken, false).failed).toBe(1);
  });

  test('never lets a failed run pass, with or without a report', () => {
    expect(vitestCounts({ numPassedTests: 3, numFailedTests: 0 }, false)).toEqual({ passed: 3, failed: 1, skipped: 0 });
    expect(vitestCounts(null, false)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });
});

describe('playwrightCounts', () => {
  test('counts a flaky test as failed', () => {
    const stats = { expected: 5, unexpected: 1, flaky: 1, skipped: 2 };
    expect(playwrightCounts({ stats }, false)).toEqual({ passed: 5, failed: 2, skipped: 2 });
  });

  test('never lets a failed run pass', () => {
    expect(playwrightCounts({ stats: { expected: 5 } }, false).failed).toBe(1);
    expect(playwrightCounts(null, false).failed).toBe(1);
  });
});

describe('chaosCounts', () => {
  test('counts promises', () => {
    expect(chaosCounts({ passed: 6, failed: [] }, true)).toEqual({ passed: 6, failed: 0, skipped: 0 });
    expect(chaosCounts({ passed: 5, failed: ['no task stuck'] }, false)).toEqual({ passed: 5, failed: 1, skipped: 0 });
  });

  test('never lets a failed run pass', () => {
    expect(chaosCounts({ passed: 6, failed: [] }, false).failed).toBe(1);
    expect(chaosCounts(null, false)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });
});

test('the last line leaves out skipped tests when there are none', () => {
  const counts = [checkCounts(true), checkCounts(false), vitestCounts({ numPassedTests: 3 }, true)];
  expect(lastLine(sumOf(counts))).toBe('4 passed, 1 failed');
  expect(lastLine({ passed: 4, failed: 0, skipped: 2 })).toBe('4 passed, 0 failed, 2 skipped');
});
