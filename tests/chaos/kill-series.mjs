/** One task, one profile, and a browser that is killed whole again and again at random moments. */
import { rmSync } from 'node:fs';
import { startStaticHost } from '../../scripts/static-host.mjs';
import { answerNamingFile, askedByFile } from '../support/asked.mjs';
import { ownBrowser, seedProfile } from '../support/browser.mjs';
import { BUILD_DIR } from '../support/build.mjs';
import { distinctFiles, makeFolder, outputsIn, removeFolder, temporaryDir } from '../support/folder.mjs';
import { startModelServer } from '../support/model-server.mjs';
import { seededRandom } from '../support/seeded-random.mjs';
import { startTask } from '../support/start-task.mjs';
import { waitForOutput } from '../support/wait-for-output.mjs';

/**
 * @typedef {import('@playwright/test').Page} Page
 * @typedef {import('../support/browser.mjs').OwnBrowser} OwnBrowser
 *
 * @typedef {object} SeriesResult
 * @property {number} kills
 * @property {number} databasesLost times that Chromium had deleted the database and the app rebuilt it
 * @property {number} files
 * @property {number} requests about files
 * @property {number} allowedRequests files, and as many again as may be out at once for each interruption
 * @property {number} inReport results written for files, each counted once
 * @property {readonly string[]} broken promises that did not hold; empty when all is well
 */

const CONCURRENCY = 4;
const START_LIMIT_MS = 60_000;
const END_LIMIT_MS = 300_000;

/**
 * @param {{ kills: number, seed: number, say: (line: string) => void }} options
 * @returns {Promise<SeriesResult>}
 */
export async function killSeries({ kills, seed, say }) {
  const random = seededRandom(seed);
  const files = kills * 5;
  const folder = makeFolder(distinctFiles(files));
  const profile = temporaryDir('chaos-profile');
  const host = await startStaticHost({ dir: BUILD_DIR });
  const server = await startModelServer({ answer: answerNamingFile, delayMs: 30, betweenMs: 5 });
  /** @type {OwnBrowser | null} */
  let browser = null;
  /** @type {string[]} */
  const broken = [];
  /** @type {Set<number>} */
  const rebuilt = new Set();
  let saved = 0;
  let killed = 0;
  try {
    seedProfile(profile, host.url, folder);
    browser = await ownBrowser(profile);
    const address = await startTask(browser.page, {
      origin: host.url,
      folder,
      endpoint: server.url,
      concurrency: CONCURRENCY,
    });
    while (killed < kills) {
      const wanted = server.requests.length + 1 + Math.floor(random() * 8);
      await server.waitFor(() => server.requests.length >= wanted || askedByFile(server).size >= files, START_LIMIT_MS);
      const seen = await stateOf(browser.page);
      if (seen.tasks !== 1 || seen.endpoints !== 1) broken.push(`after ${killed} kills: ${JSON.stringify(seen)}`);
      if (seen.settled < saved) broken.push(`after ${killed} kills: ${seen.settled} files saved, ${saved} before`);
      saved = Math.max(saved, seen.settled);
      if (seen.rebuiltMs !== null) rebuilt.add(seen.rebuiltMs);
      // Anywhere between two requests, and in the middle of a write.
      await new Promise((resolve) => setTimeout(resolve, random() * 120));
      await browser.kill();
      killed += 1;
      await server.waitFor(() => server.inFlight === 0, START_LIMIT_MS);
      if (killed % 10 === 0) say(`${killed} kills, ${saved} of ${files} files saved, ${rebuilt.size} databases lost`);
      browser = await ownBrowser(profile, { url: host.url });
    }
    await browser.page.goto(address);
    await waitForOutput(browser.page, END_LIMIT_MS);
    const last = await stateOf(browser.page);
    if (last.rebuiltMs !== null) rebuilt.add(last.rebuiltMs);
    const requests = [...askedByFile(server).values()].reduce((sum, times) => sum + times, 0);
    const results = (outputsIn(folder)[0]?.results ?? []).filter((path) => path.endsWith('.md'));
    // Opening the task by its address ends the page before it: one interruption more than there are kills.
    const allowedRequests = files + (kills + 1) * CONCURRENCY;
    if (requests > allowedRequests) broken.push(`${requests} requests, ${allowedRequests} allowed`);
    if (new Set(results).size !== files) broken.push(`${new Set(results).size} of ${files} files have a result`);
    return { kills, databasesLost: rebuilt.size, files, requests, allowedRequests, inReport: results.length, broken };
  } finally {
    await browser?.kill();
    await server.stop();
    await host.close();
    removeFolder(folder);
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** What the database says, read without the app. @param {Page} page @returns {Promise<{ tasks: number, endpoints: number, settled: number, rebuiltMs: number | null }>} */
function stateOf(page) {
  return page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open('talaria');
        opening.onerror = () => reject(new Error('the database does not open'));
        opening.onsuccess = () => {
          const reading = opening.result.transaction(['tasks', 'endpoints']);
          const tasks = reading.objectStore('tasks').getAll();
          const endpoints = reading.objectStore('endpoints').count();
          reading.oncomplete = () => {
            opening.result.close();
            const [task] = tasks.result;
            const { done = 0, reused = 0, failed = 0 } = task?.counts ?? {};
            resolve({
              tasks: tasks.result.length,
              endpoints: endpoints.result,
              settled: done + reused + failed,
              rebuiltMs: task?.rebuiltMs ?? null,
            });
          };
        };
      }),
  );
}
