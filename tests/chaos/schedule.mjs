/** What a round of chaos does, drawn from a seed. Pure: the same seed and shape give the same schedule. */
import { seededRandom } from '../support/seeded-random.mjs';

/** @import { ChaosEvent, Schedule, TaskWish } from './chaos-types' */

/** How often each cause is drawn, against the others. */
export const WEIGHTS = /** @type {const} */ ({
  'page closed and reopened': 3,
  'page reloaded': 3,
  'work moved to another tab': 2,
  'worker killed': 3,
  'page crashed': 2,
  'renderer killed': 3,
  'browser killed': 6,
  'left for the back/forward cache and back': 3,
  'page frozen and thawed': 3,
  'computer asleep': 2,
  'network offline': 3,
  'server down': 3,
  'server stalled before headers': 2,
  'server stalled in mid answer': 2,
  'answers cut': 3,
  'answers 5xx': 3,
  'answers 429': 3,
  'files edited': 3,
  'files added': 2,
  'files deleted': 2,
  'files renamed': 2,
  'folder taken away': 2,
  'permission lost': 2,
});

/** @typedef {keyof typeof WEIGHTS} CauseName */

const CAUSES = /** @type {CauseName[]} */ (Object.keys(WEIGHTS));
const NAMES = ['alpha', 'bravo', 'charlie', 'delta'];
const SERVERS = 2;

/**
 * @typedef {object} Shape
 * @property {number} tasks at once
 * @property {number} minFiles of a task
 * @property {number} maxFiles
 * @property {number} maxFilesInAll what is more goes to no task
 * @property {number} lengthMs about how long the tasks take while there is chaos
 * @property {number} events
 */

/** @param {number} seed @param {Shape} shape @returns {Schedule} */
export function makeSchedule(seed, shape) {
  const random = seededRandom(seed);
  const between = (/** @type {number} */ low, /** @type {number} */ high) => low + random() * (high - low);
  const whole = (/** @type {number} */ low, /** @type {number} */ high) => Math.floor(between(low, high + 1));
  /** @returns {TaskWish} */
  const task = (/** @type {number} */ index, /** @type {number} */ maxFiles) => {
    // As many small tasks as large ones.
    const files = Math.round(Math.exp(between(Math.log(shape.minFiles), Math.log(maxFiles))));
    const concurrency = whole(2, 6);
    const answerMs = Math.round((shape.lengthMs * concurrency) / files);
    return { name: NAMES[index] ?? `task-${index}`, files, concurrency, server: index % SERVERS, answerMs };
  };
  /** @type {TaskWish[]} */
  const tasks = [];
  let filesLeft = shape.maxFilesInAll;
  for (let index = 0; index < shape.tasks; index += 1) {
    const forOthers = (shape.tasks - index - 1) * shape.minFiles;
    const wish = task(index, Math.max(shape.minFiles, Math.min(shape.maxFiles, filesLeft - forOthers)));
    tasks.push(wish);
    filesLeft -= wish.files;
  }
  /** @returns {ChaosEvent} */
  const event = (/** @type {CauseName} */ what) => ({
    what,
    requests: whole(1, 30),
    withinMs: Math.round(between(1_000, 4_000)),
    thenMs: Math.round(between(0, 150)),
    forMs: Math.round(between(500, 6_000)),
    task: whole(0, tasks.length - 1),
    server: whole(0, SERVERS - 1),
    draw: random(),
  });
  // Each of them at least once where there is room, and then by weight.
  const once = shuffled(CAUSES, random).slice(0, shape.events);
  const more = Array.from({ length: shape.events - once.length }, () => drawn(random()));
  const events = shuffled([...once, ...more], random).map(event);
  return { v: 1, seed, servers: SERVERS, tasks, events };
}

/** @template T @param {readonly T[]} items @param {() => number} random @returns {T[]} */
function shuffled(items, random) {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

/** @param {number} at in [0, 1) @returns {CauseName} */
function drawn(at) {
  let left = at * CAUSES.reduce((sum, name) => sum + WEIGHTS[name], 0);
  for (const name of CAUSES) {
    left -= WEIGHTS[name];
    if (left < 0) return name;
  }
  return 'browser killed';
}

/**
 * A schedule as it was printed. Throws when it is not one, with what is wrong.
 * @param {string} text @returns {Schedule}
 */
export function readSchedule(text) {
  const value = JSON.parse(text);
  if (value?.v !== 1 || !Array.isArray(value.tasks) || !Array.isArray(value.events))
    throw new Error('This is no schedule of chaos: it wants v 1, tasks and events.');
  for (const { what } of value.events) if (!CAUSES.includes(what)) throw new Error(`There is no cause "${what}".`);
  return value;
}
