/** Rounds of chaos for so many minutes, each with tasks and a schedule of its own; a round that fails is cut down. */
import { playRound } from './round.mjs';
import { makeSchedule } from './schedule.mjs';
import { shrink } from './shrink.mjs';

/** @import { RoundResult, Schedule } from './chaos-types' */

const MINUTE_MS = 60_000;
/** Of one round's events; what the round needs besides comes on top. */
const ROUND_MS = 100_000;
/** A round that could only be begun is not. */
const LEAST_MS = 45_000;
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
      // Larger ones than can be written and compared in the time are for longer runs.
      maxFiles: minutes > 5 ? 2_000 : 400,
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
