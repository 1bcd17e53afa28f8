/** What reading an answer costs beside the least that any client does with one. */
import { inBrowser } from './in-browser.mjs';

const TOKENS = 20_000;
const MOST = 1.3;

/**
 * @param {import('./bench-host.mjs').BenchHost} host
 * @returns {Promise<import('./in-browser.mjs').Finding[]>}
 */
export async function measureParsing(host) {
  const { ownMs, bareMs } = await inBrowser(host, 'parsing', { files: TOKENS });
  const perToken = (/** @type {number} */ tookMs) => `${((tookMs / TOKENS) * 1_000).toFixed(1)} µs`;
  return [
    {
      what: `reading an answer of ${TOKENS} tokens: against a bare reader`,
      measured: `${(ownMs / bareMs).toFixed(2)}x (${perToken(ownMs)} a token, bare ${perToken(bareMs)})`,
      target: `at most ${MOST}x`,
      passed: ownMs / bareMs <= MOST,
    },
  ];
}
