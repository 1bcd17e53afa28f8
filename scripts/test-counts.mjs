/** Adds up what the test runners report. */
import { field, list, number, text } from './read-json.mjs';

/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 */

/** @type {Counts} */
export const NONE = { passed: 0, failed: 0, skipped: 0 };

/**
 * @param {unknown} report of vitest's JSON reporter, or null when there is none
 * @param {boolean} succeeded whether the runner ended with exit code 0
 * @returns {Counts} a test file that did not load counts as one failure, and so does a failure that no test owns
 */
export function vitestCounts(report, succeeded) {
  const files = list(report, 'testResults');
  const broken = files.filter(
    (file) => text(file, 'status') === 'failed' && list(file, 'assertionResults').length === 0,
  );
  return withOwnerless(
    {
      passed: number(report, 'numPassedTests'),
      failed: number(report, 'numFailedTests') + broken.length,
      skipped: number(report, 'numPendingTests') + number(report, 'numTodoTests'),
    },
    succeeded,
  );
}

/**
 * @param {unknown} report of Playwright's JSON reporter, or null when there is none
 * @param {boolean} succeeded whether the runner ended with exit code 0
 * @returns {Counts} a test that passed only when tried again counts as failed
 */
export function playwrightCounts(report, succeeded) {
  const stats = field(report, 'stats');
  return withOwnerless(
    {
      passed: number(stats, 'expected'),
      failed: number(stats, 'unexpected') + number(stats, 'flaky'),
      skipped: number(stats, 'skipped'),
    },
    succeeded,
  );
}

/**
 * @param {unknown} report of `npm run chaos -- --counts`, or null when there is none
 * @param {boolean} succeeded whether it ended with exit code 0
 * @returns {Counts} one a promise
 */
export function chaosCounts(report, succeeded) {
  const failed = list(report, 'failed').length;
  return withOwnerless({ passed: number(report, 'passed'), failed, skipped: 0 }, succeeded);
}

/** @param {boolean} succeeded @returns {Counts} of a stage that is one check as a whole */
export function checkCounts(succeeded) {
  return succeeded ? { ...NONE, passed: 1 } : { ...NONE, failed: 1 };
}

/** @param {readonly Counts[]} counts @returns {Counts} */
export function sumOf(counts) {
  return counts.reduce(
    (sum, { passed, failed, skipped }) => ({
      passed: sum.passed + passed,
      failed: sum.failed + failed,
      skipped: sum.skipped + skipped,
    }),
    NONE,
  );
}

/** @param {Counts} counts @returns {string} the last line of a run: `12 passed, 0 failed`, with the skipped if any */
export function lastLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** @param {Counts} counts @param {boolean} succeeded @returns {Counts} */
function withOwnerless(counts, succeeded) {
  return succeeded || counts.failed > 0 ? counts : { ...counts, failed: 1 };
}
