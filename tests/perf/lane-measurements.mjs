/** Many requests at once: over the lanes of one server, over one host, and from a program without a browser's limit. */
import { startModelServer } from '../support/model-server.mjs';
import { inBrowser } from './in-browser.mjs';

/** What is to be reached of the ideal, by the wait for an answer and the requests at once. */
const CASES = [
  { delayMs: 500, atOnce: 1, requests: 6, target: 0.95 },
  { delayMs: 500, atOnce: 6, requests: 60, target: 0.95 },
  { delayMs: 500, atOnce: 32, requests: 320, target: 0.9 },
  { delayMs: 500, atOnce: 64, requests: 640, target: 0.85 },
  { delayMs: 50, atOnce: 32, requests: 640, target: 0.65 },
];

/**
 * @param {import('./bench-host.mjs').BenchHost} host
 * @returns {Promise<import('./in-browser.mjs').Finding[]>}
 */
export async function measureLanes(host) {
  const findings = [];
  for (const each of CASES) findings.push(...(await measureCase(host, each)));
  return findings;
}

/**
 * @param {import('./bench-host.mjs').BenchHost} host
 * @param {(typeof CASES)[number]} one
 * @returns {Promise<import('./in-browser.mjs').Finding[]>}
 */
async function measureCase(host, { delayMs, atOnce, requests, target }) {
  const server = await startModelServer({ delayMs, tokensPerChunk: 64, answer: () => 'Within bounds.' });
  try {
    const query = { endpoint: server.url, files: requests, atOnce };
    const { ownMs, rawMs, clientMs, oneHostMs } = await inBrowser(host, 'lanes', query);
    const nodeMs = await inNode(server.url, requests, atOnce);
    const ideal = (requests * delayMs) / atOnce;
    const share = (/** @type {number} */ tookMs) => (ideal / tookMs).toFixed(2);
    const beside = `one host ${share(oneHostMs)}, openai client ${share(clientMs)}, Node ${share(nodeMs)}`;
    const what = `${requests} requests of ${delayMs} ms, ${atOnce} at once`;
    return [
      {
        what: `${what}: share of the ideal`,
        measured: `${share(ownMs)} (${beside})`,
        target: `at least ${target}`,
        passed: ideal / ownMs >= target,
      },
      {
        what: `${what}: against fetch alone on the same lanes`,
        measured: `${(rawMs / ownMs).toFixed(2)}x`,
        target: 'at least 0.95x',
        passed: rawMs / ownMs >= 0.95,
      },
    ];
  } finally {
    await server.stop();
  }
}

/** @param {string} url @param {number} requests @param {number} atOnce */
async function inNode(url, requests, atOnce) {
  const began = performance.now();
  let next = 0;
  const work = async () => {
    while (next++ < requests) {
      const response = await fetch(`${url}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'bench', stream: true, messages: [{ role: 'user', content: 'What?' }] }),
      });
      await response.text();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return performance.now() - began;
}
