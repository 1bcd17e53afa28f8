/** Rounds of chaos for so many minutes, each with tasks and a schedule of its own; a round that fails is cut down. */
import { playRound } from './round.mjs';
import { makeSchedule } from './schedule.mjs';
import { shrink } from './shrink.mjs';

/** @import { RoundResult, Schedule } from './chaos-types' */

const MINUTE_MS = 60_000;
/** Of one round's events; waiting for the tasks and doing them undisturbed come on top. */
const ROUND_MS = 120_000;
/** With less time left, no other round is begun. */
const LEAST_MS = 120_000;
/** What an event takes with its wait, on two busy cores. */
const EVENT_MS = 3_000;

/**
 * @param {{ minutes: number, seed: number, shrinkMinutes: number, say: (line: string) => void }} options
 * @returns {Promise<{ rounds: RoundResult[], smallest: Schedule | null }>} `smallest` fails, when one does
 */
export async function runChaos({ minutes, seed, shrinkMinutes, say }) {
  const endMs = performance.now() + minutes * MINUTE_MS;
  const isOver = () => performance.now() > endMs;
  /** @type {RoundResult[]} */
  const rounds = [];
  do {
    const number = rounds.length;
    const lengthMs = Math.min(ROUND_MS, endMs - performance.now());
    const schedule = makeSchedule(seed * 1_000 + number, {
      tasks: 3,
      minFiles: 200,
      // Larger ones than can be done twice in the time are for longer runs.
      maxFiles: minutes > 5 ? 2_000 : 400,
      maxFilesInAll: 2_400,
      lengthMs,
      events: Math.ceil(lengthMs / EVENT_MS),
    });
    say(`round ${number + 1}, seed ${schedule.seed}`);
    const round = await playRound(schedule, { isOver, say });
    rounds.push(round);
    if (round.broken.length > 0) return { rounds, smallest: await cutDown(schedule, shrinkMinutes, say) };
  } while (endMs - performance.now() > LEAST_MS);
  return { rounds, smallest: null };
}

/** @param {Schedule} schedule @param {number} minutes @param {(line: string) => void} say */
export async function cutDown(schedule, minutes, say) {
  const endMs = performance.now() + minutes * MINUTE_MS;
  return shrink(
    schedule,
    async (candidate) => {
      const { broken } = await playRound(candidate);
      say(`${candidate.events.length} events: ${broken.length === 0 ? 'holds' : 'fails'}`);
      return broken.length > 0;
    },
    () => performance.now() > endMs,
  );
}
