/** What is seen during a round, for the invariants to be judged by. */

/** @import { SeenState, SeenTask } from './chaos-types' */

export class Evidence {
  /** @type {Record<string, number>} */
  struck = {};
  /** How often a cause was seen to do what it is to do. @type {Record<string, number>} */
  effects = {};
  /** What a person was asked to do, and did. @type {Record<string, number>} */
  helps = {};
  /** @type {string[]} why a task is stuck */
  stuck = [];
  interruptions = 0;
  allowedRepeats = 0;
  /** By digest of the question: how many had been asked in all when its answer was first seen to be saved. @type {Map<string, number>} */
  savedAt = new Map();
  /** @type {SeenState | null} */
  last = null;
  /** The most of each that was ever seen. */
  most = { tasks: 0, endpoints: 0 };
  /** @type {Set<number>} */
  #rebuilt = new Set();

  /** Times that Chromium had dropped the database: tasks that were rebuilt together count once. */
  get databasesLost() {
    const times = [...this.#rebuilt].sort((a, b) => a - b);
    return times.filter((ms, index) => index === 0 || ms - (times[index - 1] ?? 0) > 1_000).length;
  }

  /** @param {string} cause */
  struckBy(cause) {
    this.struck[cause] = (this.struck[cause] ?? 0) + 1;
  }

  /** @param {string} effect */
  took(effect) {
    this.effects[effect] = (this.effects[effect] ?? 0) + 1;
  }

  /** @param {string} kind */
  helped(kind) {
    this.helps[kind] = (this.helps[kind] ?? 0) + 1;
  }

  /** Ends what is under way. @param {number} callsInFlight that may be asked again for it */
  interrupted(callsInFlight) {
    this.interruptions += 1;
    this.allowedRepeats += callsInFlight;
  }

  /** @param {SeenState} state @param {number} asked how many questions had been asked when it was read */
  saw(state, asked) {
    this.last = state;
    this.most.tasks = Math.max(this.most.tasks, state.tasks.length);
    this.most.endpoints = Math.max(this.most.endpoints, state.endpoints);
    for (const digest of state.saved) if (!this.savedAt.has(digest)) this.savedAt.set(digest, asked);
    for (const { rebuiltMs } of state.tasks) if (rebuiltMs !== null) this.#rebuilt.add(rebuiltMs);
  }

  /** @param {SeenTask} task @param {string} why */
  isStuck(task, why) {
    const { name, status, reason, code, output, failed } = task;
    this.stuck.push(`${name}: ${why} (${[status, reason, code, `output ${output}`, `${failed} failed`].join(', ')})`);
  }
}
