/** What the app's database holds, read from a page without the app. */
import { questionAnswered } from './questions.mjs';

/** @import { SeenState } from './chaos-types' */

const LIMIT_MS = 20_000;

/**
 * Null when the page cannot be asked just now (it is on its way, or gone), and when there is no database yet.
 * @param {import('@playwright/test').Page} page
 * @returns {Promise<SeenState | null>}
 */
export async function storedState(page) {
  const reading = page.evaluate(readRows).catch(() => null);
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(() => resolve(null), LIMIT_MS);
  });
  const rows = /** @type {Awaited<typeof reading>} */ (await Promise.race([reading, late]));
  clearTimeout(timer);
  if (!rows) return null;
  const { tasks, endpoints, answers } = rows;
  return {
    endpoints,
    saved: answers.map(questionAnswered).filter((digest) => digest !== null),
    tasks: tasks.map((task) => ({
      id: task.id,
      // A task's own name says what is asked, too.
      name: task.folderName,
      status: task.status,
      reason: task.reason,
      code: task.failure?.code ?? null,
      output: task.output,
      seq: task.seq,
      epoch: task.epoch,
      failed: task.counts.failed,
      finishedMs: task.finishedMs,
      rebuiltMs: task.rebuiltMs ?? null,
    })),
  };
}

/**
 * Runs in the page.
 * @returns {Promise<{ tasks: import('../../src/lib/core/task').TaskRow[], endpoints: number, answers: string[] } | null>}
 */
async function readRows() {
  // Opening would make an empty one where the app has not yet made it.
  const there = await indexedDB.databases();
  if (!there.some(({ name }) => name === 'talaria')) return null;
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('talaria');
    opening.onupgradeneeded = () => opening.transaction?.abort();
    opening.onerror = () => resolve(null);
    opening.onsuccess = () => {
      const database = opening.result;
      const reading = database.transaction(['tasks', 'endpoints', 'results']);
      const tasks = reading.objectStore('tasks').getAll();
      const endpoints = reading.objectStore('endpoints').count();
      const results = reading.objectStore('results').getAll();
      reading.onabort = () => reject(new Error('the rows cannot be read'));
      reading.oncomplete = () => {
        database.close();
        resolve({
          tasks: tasks.result,
          endpoints: endpoints.result,
          answers: results.result.map(({ output }) => String(output).slice(0, 60)),
        });
      };
    };
  });
}
