/** How soon work goes on: from a click, after a kill of the browser, and in another tab. */
import { rmSync } from 'node:fs';
import { temporaryDir } from '../support/folder.mjs';
import { startModelServer } from '../support/model-server.mjs';
import { inBrowser } from './in-browser.mjs';

/**
 * @typedef {import('./in-browser.mjs').BenchHost} BenchHost
 * @typedef {import('./in-browser.mjs').Finding} Finding
 */

/** @param {BenchHost} host @param {number} files @returns {Promise<Finding[]>} */
export async function measureResume(host, files) {
  const server = await startModelServer();
  const profile = temporaryDir('bench-profile');
  server.script(() => ({ type: 'stall', after: 'request' }));
  const stage = (/** @type {string} */ name) =>
    inBrowser(host, 'resume', { endpoint: server.url, files, stage: name }, profile);
  try {
    await stage('fill');
    const { waitedMs } = await stage('proceed');
    const { sinceOpenMs, sinceBornMs, heapMb, closedMs, frozenMs } = await stage('takeOver');
    const at = `${files.toLocaleString('en')} files finished`;
    /** @param {string} what @param {number} ms @param {number} limitMs @returns {Finding} */
    const within = (what, ms, limitMs) => ({
      what: `${what}, ${at}`,
      measured: `${ms.toFixed(0)} ms`,
      target: `at most ${limitMs.toLocaleString('en')} ms`,
      passed: ms <= limitMs,
    });
    return [
      within('from "continue" to the first request', waitedMs, 20),
      within('after a kill of the browser, from the open database to the first request', sinceOpenMs, 20),
      within("the same from the worker's first line", sinceBornMs, 1_000),
      within('another tab takes over from a closed one, to the first request', closedMs, 1_000),
      within('another tab takes over from a frozen one, to the first request', frozenMs, 20_000),
      {
        what: `worker heap at the first request, ${at}`,
        measured: `${heapMb.toFixed(1)} MB`,
        target: 'at most 20 MB',
        passed: heapMb <= 20,
      },
    ];
  } finally {
    await server.stop();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
