/** The names of tests that failed, from what the test runners report: the end of a long log should say them once more. */
import { field, list, text } from './read-json.mjs';

/** @param {unknown} report of vitest's JSON reporter, or null @returns {readonly string[]} `file > test` */
export function vitestFailedNames(report) {
  return list(report, 'testResults').flatMap((file) =>
    list(file, 'assertionResults')
      .filter((test) => text(test, 'status') === 'failed')
      .map((test) => `${text(file, 'name')} > ${text(test, 'fullName')}`),
  );
}

/** @param {unknown} report of Playwright's JSON reporter, or null @returns {readonly string[]} `file > test` */
export function playwrightFailedNames(report) {
  return list(report, 'suites').flatMap(inSuite);
}

/** @param {unknown} report of `npm run chaos -- --counts`, or null @returns {readonly string[]} `chaos > promise` */
export function chaosFailedNames(report) {
  return list(report, 'failed').map((name) => `chaos > ${String(name)}`);
}

/** @param {unknown} suite @returns {readonly string[]} */
function inSuite(suite) {
  const here = list(suite, 'specs')
    .filter((spec) => field(spec, 'ok') === false)
    .map((spec) => `${text(spec, 'file')} > ${text(spec, 'title')}`);
  return [...here, ...list(suite, 'suites').flatMap(inSuite)];
}
