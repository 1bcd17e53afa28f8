/** What a run of chaos showed, as a table to print. */
import { INVARIANTS } from './invariants.mjs';
import { WEIGHTS } from './schedule.mjs';

/** @import { RoundResult } from './chaos-types' */

/** @param {readonly RoundResult[]} rounds @returns {string[]} lines */
export function table(rounds) {
  const sum = (/** @type {(round: RoundResult) => number} */ of) =>
    rounds.reduce((total, round) => total + of(round), 0);
  const counted = (/** @type {(round: RoundResult) => Readonly<Record<string, number>>} */ of) => {
    /** @type {Record<string, number>} */
    const total = {};
    for (const round of rounds)
      for (const [name, times] of Object.entries(of(round))) total[name] = (total[name] ?? 0) + times;
    return total;
  };
  const struck = counted(({ struck }) => struck);
  const helps = Object.entries(counted(({ helps }) => helps));
  const broken = rounds.flatMap(({ broken }) => broken);
  return [
    ...Object.keys(WEIGHTS).map((name) => row(name, struck[name] ?? 0)),
    ...Object.entries(counted(({ effects }) => effects)).map(([name, times]) => row(`  pages that ${name}`, times)),
    '',
    row('rounds', rounds.length),
    row(
      'tasks',
      sum(({ schedule }) => schedule.tasks.length),
    ),
    row(
      'files at the end',
      sum(({ files }) => files),
    ),
    row(
      'questions asked',
      sum(({ questions }) => questions),
    ),
    row(
      'interruptions',
      sum(({ interruptions }) => interruptions),
    ),
    row(
      'calls repeated',
      `${sum(({ repeated }) => repeated)} (at most ${sum(({ allowedRepeats }) => allowedRepeats)})`,
    ),
    row(
      'databases that Chromium lost',
      sum(({ databasesLost }) => databasesLost),
    ),
    row(
      'half files left by kills',
      sum(({ leftovers }) => leftovers),
    ),
    row(
      'clicks asked for',
      helps.length === 0 ? 'none' : helps.map(([what, times]) => `${times} × ${what}`).join(', '),
    ),
    '',
    ...INVARIANTS.map((name) => {
      const times = broken.filter(({ invariant }) => invariant === name).length;
      return row(name, times === 0 ? 'held' : `BROKEN, ${times} times`);
    }),
  ];
}

/** @param {string} name @param {string | number} value */
function row(name, value) {
  return `${name.padEnd(42)} ${value}`;
}
