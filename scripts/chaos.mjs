/**
 * `npm run chaos`: kills the browser at random moments and counts what it cost. `--kills N` (default 50), `--seed N`
 * (default: another one each time; printed). Exit code 1 when a promise did not hold.
 */
import { parseArgs } from 'node:util';
import { killSeries } from '../tests/chaos/kill-series.mjs';
import { ensureBuilt } from '../tests/support/build.mjs';

const say = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);

const { values } = parseArgs({ options: { kills: { type: 'string' }, seed: { type: 'string' } } });
const kills = Number(values.kills ?? 50);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
if (!Number.isInteger(kills) || kills < 1 || !Number.isInteger(seed)) {
  say('Usage: npm run chaos -- --kills 50 --seed 1');
  process.exit(2);
}

ensureBuilt(say);
say(`${kills} kills, seed ${seed}`);
const result = await killSeries({ kills, seed, say });
for (const line of result.broken) say(`BROKEN  ${line}`);
say(
  [
    `kills of the whole browser   ${result.kills}`,
    `databases that Chromium lost ${result.databasesLost}`,
    `files                        ${result.files}`,
    `files with a result          ${result.inReport}`,
    `requests about files         ${result.requests} (at most ${result.allowedRequests})`,
    `promises broken              ${result.broken.length}`,
  ].join('\n'),
);
process.exitCode = result.broken.length === 0 ? 0 : 1;
