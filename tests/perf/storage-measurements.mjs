/** What it costs to save: ratios between ways to do it that took turns in one run, each in a browser of its own. */
import { inBrowser } from './in-browser.mjs';

/**
 * @typedef {import('./in-browser.mjs').BenchHost} BenchHost
 * @typedef {import('./in-browser.mjs').Finding} Finding
 */

/** @param {string} what @param {number} ratio @param {number} limit @param {string} more @returns {Finding} */
const atMost = (what, ratio, limit, more) => ({
  what,
  measured: `${ratio.toFixed(2)}x (${more})`,
  target: `at most ${limit.toFixed(2)}x`,
  passed: ratio <= limit,
});

/** @param {number} value */
const ms = (value) => `${value.toFixed(2)} ms`;
/** @param {number} bytes */
const mb = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

/** A step's commit against bare puts, and what the journal adds. @param {BenchHost} host @returns {Promise<Finding[]>} */
export async function measureCommits(host) {
  const { bare, library, database, journaled } = await inBrowser(host, 'storage', { stage: 'commits', files: 1_000 });
  const added = journaled.p50 - database.p50;
  const against = (/** @type {{ p50: number }} */ base) => `p50 ${ms(journaled.p50)} against ${ms(base.p50)}`;
  return [
    atMost("a finished step's commit against three bare puts", journaled.p50 / bare.p50, 1.5, against(bare)),
    atMost(
      'the same three rows by the library alone, against bare puts',
      library.p50 / bare.p50,
      1.9,
      `p50 ${ms(library.p50)}`,
    ),
    {
      what: "what the journal adds to a step's commit, p50",
      measured: `${ms(added)} (${ms(journaled.p50)} against ${ms(database.p50)}; p95 ${ms(journaled.p95)} against ${ms(database.p95)})`,
      target: 'at most 0.20 ms',
      passed: added <= 0.2,
    },
  ];
}

/** How the cost of a step grows. @param {BenchHost} host @returns {Promise<Finding[]>} */
export async function measureGrowth(host) {
  const steps = 10_000;
  const found = await inBrowser(host, 'storage', { stage: 'growth', files: steps });
  const { firstMs, lastMs } = found;
  return [
    atMost(
      `a step's two commits, last tenth of ${steps} against the first, p50`,
      lastMs.p50 / firstMs.p50,
      1.2,
      `${ms(lastMs.p50)} against ${ms(firstMs.p50)}; means ${ms(lastMs.mean)} and ${ms(firstMs.mean)}`,
    ),
    {
      what: `bytes written for 100 to ${steps} steps, growth exponent`,
      measured: `${found.exponent.toFixed(3)} (${Math.round(found.bytesAStep)} bytes a step)`,
      target: 'at most 1.05',
      passed: found.exponent <= 1.05,
    },
    atMost('bytes written, journal included, against the rows themselves', found.ofPayload, 2.2, `${steps} steps`),
  ];
}

/** Saving together. @param {BenchHost} host @returns {Promise<Finding[]>} */
export async function measureGroups(host) {
  const steps = 3_200;
  const { groupedMs, singleMs } = await inBrowser(host, 'storage', { stage: 'groups', files: steps });
  const more = `${ms(groupedMs / steps)} against ${ms(singleMs / steps)} a step`;
  return [atMost('32 at once, saved together against a commit each', groupedMs / singleMs, 0.5, more)];
}

/** Unfinished answers. @param {BenchHost} host @returns {Promise<Finding[]>} */
export async function measureStreams(host) {
  const shares = await inBrowser(host, 'storage', { stage: 'streams', files: 20 });
  return Object.entries(shares).map(([width, { share, flushes }]) => ({
    what: `share of the time of ${width === '1' ? 'one answer' : `${width} answers`} that writing it down takes`,
    measured: `${(share * 100).toFixed(2)} % (${flushes} times in 20 s)`,
    target: 'at most 2 %',
    passed: share <= 0.02,
  }));
}

/** Other ways to keep a task, over the same steps. @param {BenchHost} host @returns {Promise<Finding[]>} */
export async function measureKinds(host) {
  const steps = 400;
  const { talaria, ...others } = await inBrowser(host, 'storage', { stage: 'kinds', files: steps });
  return Object.entries({ talaria, ...others }).map(([kind, found]) => {
    const last = found.lastMs / talaria.lastMs;
    const bytes = found.bytes > 0 ? `, ${mb(found.bytes)} written, exponent ${found.bytesExponent.toFixed(2)}` : '';
    const isOurs = found === talaria;
    return {
      what: `${kind}: a step at ${steps / 10} and at ${steps} steps`,
      measured: `${ms(found.firstMs)} and ${ms(found.lastMs)}${isOurs ? '' : ` (${last.toFixed(1)}x Talaria)`}${bytes}`,
      target: isOurs ? 'at most 1.20x' : 'beside Talaria',
      passed: !isOurs || found.lastMs <= found.firstMs * 1.2,
    };
  });
}
