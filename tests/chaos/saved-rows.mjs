/** What one task had saved when a browser was looked into, and what of it a later look does not find any more. */

/**
 * @typedef {object} SavedRows
 * @property {readonly string[]} tasks
 * @property {readonly string[]} endpoints
 * @property {readonly string[]} steps that have come to their end, each with its end and the key of its result
 * @property {readonly string[]} results
 * @property {number | null} rebuiltMs when the app last rebuilt a task that the database had lost
 * @property {boolean} isLost Chromium has deleted every database of the app's origin since the last look
 *
 * @typedef {'tasks' | 'endpoints' | 'steps' | 'results'} Kind
 */

/** @type {readonly Kind[]} */
const KINDS = ['tasks', 'endpoints', 'steps', 'results'];
const NAMED = 3;

/** All that was ever seen to be saved. */
export class Seen {
  /** @type {Readonly<Record<Kind, Set<string>>>} */
  #rows = { tasks: new Set(), endpoints: new Set(), steps: new Set(), results: new Set() };

  /** @param {Kind} kind */
  count(kind) {
    return this.#rows[kind].size;
  }

  /** Takes a look down. @param {SavedRows} now @returns {string[]} what an earlier look had and this one has not */
  look(now) {
    return KINDS.flatMap((kind) => {
      const there = new Set(now[kind]);
      const seen = this.#rows[kind];
      const lost = [...seen].filter((row) => !there.has(row));
      for (const row of there) seen.add(row);
      return lost.length === 0 ? [] : [`${lost.length} ${kind} are gone: ${lost.slice(0, NAMED).join(', ')}`];
    });
  }
}

/**
 * Read without the app. A database of the runner's own stands beside the app's: it goes when Chromium deletes them all,
 * which the app could hide by rebuilding its own in time.
 * @param {import('@playwright/test').Page} page @returns {Promise<SavedRows>}
 */
export function savedRows(page) {
  return page.evaluate(readRows);
}

/** Runs in the page. @returns {Promise<SavedRows>} */
async function readRows() {
  const WITNESS = 'chaos-witness';
  const ENDS = ['done', 'failed', 'skipped'];
  /** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
  const resultOf = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error('a database cannot be read'));
    });
  let isLost = false;
  const opening = indexedDB.open(WITNESS, 1);
  opening.onupgradeneeded = () => {
    isLost = true;
  };
  (await resultOf(opening)).close();
  const database = await resultOf(indexedDB.open('talaria'));
  const reading = database.transaction(['tasks', 'endpoints', 'steps', 'results']);
  const [tasks, endpoints, steps, results] = await Promise.all([
    resultOf(reading.objectStore('tasks').getAll()),
    resultOf(reading.objectStore('endpoints').getAllKeys()),
    resultOf(reading.objectStore('steps').getAll()),
    resultOf(reading.objectStore('results').getAllKeys()),
  ]);
  database.close();
  return {
    tasks: tasks.map(({ id }) => id),
    endpoints: endpoints.map(String),
    steps: steps
      .filter(({ status }) => ENDS.includes(status))
      .map(({ key, status, resultKey }) => `${key} ${status} ${resultKey}`),
    results: results.map(String),
    rebuiltMs: tasks[0]?.rebuiltMs ?? null,
    isLost,
  };
}
