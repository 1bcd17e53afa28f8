/**
 * `npm run chaos`: tasks at work, and everything that can happen to them at random moments. Prints what happened and
 * whether the promises held; exit code 1 when one did not, with the seed and the smallest schedule that shows it.
 *
 *   --minutes N        rounds of chaos for so long (default 2)
 *   --seed N           the same seed draws the same schedules (default: another one each time; printed)
 *   --schedule FILE    plays one schedule that was printed
 *   --shrink-minutes N how long a failing round is cut down (default 10; 0 leaves it as it is)
 *   --counts FILE      writes which promises held, for `npm test`
 *   --kills N          another experiment: one task, one profile, and the whole browser killed so many times
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { INVARIANTS } from '../tests/chaos/invariants.mjs';
import { killSeries } from '../tests/chaos/kill-series.mjs';
import { playRound } from '../tests/chaos/round.mjs';
import { cutDown, runChaos } from '../tests/chaos/run.mjs';
import { readSchedule } from '../tests/chaos/schedule.mjs';
import { table } from '../tests/chaos/table.mjs';
import { ensureBuilt } from '../tests/support/build.mjs';

const say = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    seed: { type: 'string' },
    schedule: { type: 'string' },
    'shrink-minutes': { type: 'string' },
    counts: { type: 'string' },
    kills: { type: 'string' },
  },
});
const minutes = Number(values.minutes ?? 2);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const shrinkMinutes = Number(values['shrink-minutes'] ?? 10);
const kills = values.kills === undefined ? null : Number(values.kills);
if (!(minutes > 0) || !Number.isInteger(seed) || !(shrinkMinutes >= 0) || (kills !== null && !(kills >= 1))) {
  say('Usage: npm run chaos -- --minutes 10 --seed 1');
  process.exit(2);
}

ensureBuilt(say);
process.exitCode = (await (kills === null ? chaos() : series(Math.floor(kills)))) ? 0 : 1;

async function chaos() {
  const { rounds, smallest } = values.schedule === undefined ? await fromSeed() : await fromFile(values.schedule);
  say('');
  for (const line of table(rounds)) say(line);
  const broken = rounds.flatMap((round) => round.broken);
  for (const { invariant, how } of broken.slice(0, 50)) say(`BROKEN  ${invariant}: ${how}`);
  if (smallest) {
    say(`seed ${smallest.seed}, cut down to ${smallest.events.length} events; to play it again, save this line and`);
    say('npm run chaos -- --schedule FILE');
    say(JSON.stringify(smallest));
  }
  if (values.counts !== undefined) {
    const failed = INVARIANTS.filter((name) => broken.some(({ invariant }) => invariant === name));
    writeFileSync(values.counts, JSON.stringify({ passed: INVARIANTS.length - failed.length, failed }));
  }
  return broken.length === 0;
}

function fromSeed() {
  say(`${minutes} minutes, seed ${seed}`);
  return runChaos({ minutes, seed, shrinkMinutes, say });
}

/** @param {string} file */
async function fromFile(file) {
  const schedule = readSchedule(readFileSync(file, 'utf8'));
  const round = await playRound(schedule, { say });
  const isCut = round.broken.length > 0 && values['shrink-minutes'] !== undefined;
  return { rounds: [round], smallest: isCut ? await cutDown(schedule, shrinkMinutes, say) : null };
}

/** @param {number} count */
async function series(count) {
  say(`${count} kills, seed ${seed}`);
  const result = await killSeries({ kills: count, seed, say });
  for (const line of result.broken) say(`BROKEN  ${line}`);
  say(
    [
      `kills of the whole browser   ${result.kills}`,
      `databases that Chromium lost ${result.databasesLost}`,
      `tasks rebuilt from a journal ${result.rebuilds}`,
      `files                        ${result.files}`,
      `files with a result          ${result.inReport}`,
      `steps seen saved             ${result.steps}`,
      `results seen saved           ${result.results}`,
      `requests about files         ${result.requests} (at most ${result.allowedRequests})`,
      `promises broken              ${result.broken.length}`,
    ].join('\n'),
  );
  return result.broken.length === 0;
}
