/** A browser with nothing attached to it, which opens one measuring page and is waited for until that posts its result. */
import { rmSync } from 'node:fs';
import { startChromium } from '../support/browser.mjs';
import { temporaryDir } from '../support/folder.mjs';

/**
 * @typedef {import('./bench-host.mjs').BenchHost} BenchHost
 * @typedef {{ what: string, measured: string, target: string, passed: boolean }} Finding
 */

const LIMIT_MS = 10 * 60_000;

/**
 * @param {BenchHost} host
 * @param {string} page
 * @param {Record<string, string | number>} query
 * @param {string | null} [kept] a profile to use and to keep
 * @param {() => Promise<void>} [meanwhile] what else must have happened before the browser may end
 * @returns {Promise<any>}
 */
export async function inBrowser(host, page, query, kept = null, meanwhile = async () => undefined) {
  const profile = kept ?? temporaryDir('bench-profile');
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const arriving = host.result();
  const started = await startChromium(profile, `${host.url}/bench/${page}.html?${search.toString()}`);
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${page} took longer than ${LIMIT_MS / 1000} s`)), LIMIT_MS);
  });
  try {
    const [result] = await Promise.race([Promise.all([arriving, meanwhile()]), late.then(() => [])]);
    return result;
  } finally {
    clearTimeout(timer);
    await started.kill();
    if (kept === null) rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
