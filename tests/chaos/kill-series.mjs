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
import { savedRows, Seen } from './saved-rows.mjs';

/**
 * @typedef {import('../support/browser.mjs').OwnBrowser} OwnBrowser
 *
 * @typedef {object} SeriesResult
 * @property {number} kills
 * @property {number} databasesLost times that Chromium had deleted every database of the app
 * @property {number} rebuilds times that the app rebuilt the task from its journal
 * @property {number} files
 * @property {number} requests about files
 * @property {number} allowedRequests files, and as many again as may be out at once for each interruption
 * @property {number} inReport results written for files, each counted once
 * @property {number} steps that were seen to be saved, each looked for again after every later kill
 * @property {number} results the same
 * @property {readonly string[]} broken promises that did not hold; empty when all is well
 */

const CONCURRENCY = 4;
/** More than a kill lets be asked about, so that each one meets a task at work. */
const FILES_A_KILL = 10;
const START_LIMIT_MS = 60_000;
const END_LIMIT_MS = 300_000;

/**
 * @param {{ kills: number, seed: number, say: (line: string) => void }} options
 * @returns {Promise<SeriesResult>}
 */
export async function killSeries({ kills, seed, say }) {
  const random = seededRandom(seed);
  const files = kills * FILES_A_KILL;
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
  const saved = new Seen();
  let databasesLost = 0;
  let killed = 0;
  const look = async (/** @type {OwnBrowser} */ { page }) => {
    const seen = await savedRows(page);
    // The first look finds none, since there was none.
    if (seen.isLost && killed > 0) databasesLost += 1;
    if (seen.rebuiltMs !== null) rebuilt.add(seen.rebuiltMs);
    for (const line of saved.look(seen)) broken.push(`after ${killed} kills: ${line}`);
    if (saved.count('tasks') !== 1) broken.push(`after ${killed} kills: ${saved.count('tasks')} tasks were seen`);
    if (saved.count('endpoints') !== 1)
      broken.push(`after ${killed} kills: ${saved.count('endpoints')} endpoints were seen`);
  };
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
      await server.waitFor(() => server.requests.length >= wanted, START_LIMIT_MS);
      await look(browser);
      // Anywhere between two requests, and in the middle of a write.
      await new Promise((resolve) => setTimeout(resolve, random() * 120));
      await browser.kill();
      killed += 1;
      await server.waitFor(() => server.inFlight === 0, START_LIMIT_MS);
      if (killed % 10 === 0)
        say(`${killed} kills, ${saved.count('steps')} steps of ${files} files saved, ${databasesLost} databases lost`);
      browser = await ownBrowser(profile, { url: host.url });
    }
    await browser.page.goto(address);
    await waitForOutput(browser.page, END_LIMIT_MS);
    await look(browser);
    const requests = [...askedByFile(server).values()].reduce((sum, times) => sum + times, 0);
    const results = (outputsIn(folder)[0]?.results ?? []).filter((path) => path.endsWith('.md'));
    // Opening the task by its address ends the page before it: one interruption more than there are kills.
    const allowedRequests = files + (kills + 1) * CONCURRENCY;
    if (requests > allowedRequests) broken.push(`${requests} requests, ${allowedRequests} allowed`);
    if (new Set(results).size !== files) broken.push(`${new Set(results).size} of ${files} files have a result`);
    return {
      kills,
      databasesLost,
      rebuilds: rebuilt.size,
      files,
      steps: saved.count('steps'),
      results: saved.count('results'),
      requests,
      allowedRequests,
      inReport: results.length,
      broken,
    };
  } finally {
    await browser?.kill();
    await server.stop();
    await host.close();
    removeFolder(folder);
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
