/**
 * The promise of Talaria, shown in a minute: a real folder, a real browser that is killed whole at about half, and a
 * model server that counts what it is asked. Ends with an exit code that says whether the promise held.
 */
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ownBrowser, seedProfile } from '../tests/support/browser.mjs';
import { BUILD_DIR, ROOT, ensureBuilt } from '../tests/support/build.mjs';
import { makeFolder, outputsIn, removeFolder, temporaryDir } from '../tests/support/folder.mjs';
import { mixedFiles } from '../tests/support/mixed-folder.mjs';
import { startModelServer } from '../tests/support/model-server.mjs';
import { startTask } from '../tests/support/start-task.mjs';
import { waitForOutput } from '../tests/support/wait-for-output.mjs';
import { startStaticHost } from './static-host.mjs';

/**
 * @typedef {import('@playwright/test').Page} Page
 * @typedef {import('../tests/support/browser.mjs').OwnBrowser} OwnBrowser
 * @typedef {import('../tests/support/model-server-types').ModelServer} ModelServer
 */

const OUTPUT = join(ROOT, 'demo-output');
const CONCURRENCY = 4;
const KILL_AFTER = 20;
const LIMIT_MS = 60_000;

const say = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);

async function main() {
  ensureBuilt(say);
  rmSync(OUTPUT, { recursive: true, force: true });
  mkdirSync(OUTPUT, { recursive: true });
  const files = mixedFiles();
  const total = Object.keys(files).length;
  const folder = makeFolder(files, 'field-notes');
  const profile = temporaryDir('demo-profile');
  const host = await startStaticHost({ dir: BUILD_DIR });
  const server = await startModelServer({ delayMs: 120, betweenMs: 15 });
  /** @type {OwnBrowser | null} */
  let browser = null;
  try {
    seedProfile(profile, host.url, folder);
    say(`A folder with ${total} files, a model server on ${server.url}, Talaria on ${host.url}`);

    const letGo = stallInMidStream(server, KILL_AFTER);
    browser = await ownBrowser(profile);
    const address = await startTask(browser.page, {
      origin: host.url,
      folder,
      endpoint: server.url,
      concurrency: CONCURRENCY,
    });
    await server.waitFor(
      () => server.inFlight === CONCURRENCY && server.requests.length >= KILL_AFTER + CONCURRENCY,
      LIMIT_MS,
    );
    await waitForSettled(browser.page, KILL_AFTER);
    await shoot(browser.page, '1-before-the-kill');
    say(
      `${KILL_AFTER} of ${total} files are shown as saved and ${CONCURRENCY} answers are in mid stream. Killing the browser.`,
    );
    await browser.kill();
    await server.waitFor(() => server.inFlight === 0, LIMIT_MS);

    letGo();
    const askedBefore = server.requests.length;
    browser = await ownBrowser(profile);
    await browser.page.goto(address);
    say('The browser is back on the same profile. The task goes on by itself.');
    await waitForStatus(browser.page, 'completed');
    await waitForOutput(browser.page, LIMIT_MS);
    const settled = await settledFiles(browser.page);
    await shoot(browser.page, '2-completed');
    await browser.page.goto(`${address}&tab=report`);
    await browser.page.getByTestId('report').waitFor();
    await shoot(browser.page, '3-report');

    const repeated = [...timesAnsweredInFull(server).values()].filter((times) => times > 1).length;
    const [written] = outputsIn(folder);
    const results = written?.results.length ?? 0;
    await browser.close();
    browser = null;
    cpSync(folder, join(OUTPUT, 'field-notes'), { recursive: true });

    say(
      `The server was asked ${askedBefore} times before the kill and ${server.requests.length - askedBefore} times after it.`,
    );
    say(`Report: ${join(OUTPUT, 'field-notes', 'talaria', written?.slug ?? '', 'report.md')}`);
    say(`${results} of ${total} files, ${repeated} repeated`);
    const kept = settled === total && results === total && repeated === 0 && (written?.report ?? '') !== '';
    if (!kept) say(`The promise did not hold: ${settled} files settled on screen, ${results} results on the disk.`);
    return kept;
  } finally {
    await browser?.kill();
    await server.stop();
    await host.close();
    removeFolder(folder);
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/**
 * After `count` whole answers, each further one stops in mid stream until the returned function is called.
 * @param {ModelServer} server
 * @param {number} count
 */
function stallInMidStream(server, count) {
  let asked = 0;
  server.script(() => (asked++ < count ? null : { type: 'stall', after: 'tokens', tokens: 6 }));
  return () => server.script(null);
}

/** @param {Page} page */
async function settledFiles(page) {
  return Number(await page.getByTestId('progress').getAttribute('aria-valuenow'));
}

/** @param {Page} page @param {number} count */
async function waitForSettled(page, count) {
  await page.waitForFunction(
    (wanted) => Number(document.querySelector('[data-testid="progress"]')?.getAttribute('aria-valuenow')) >= wanted,
    count,
    { timeout: LIMIT_MS },
  );
}

/** @param {Page} page @param {string} status */
async function waitForStatus(page, status) {
  await page
    .locator(`[data-testid="task-state"][data-status="${status}"]`)
    .waitFor({ state: 'attached', timeout: LIMIT_MS });
}

/** @param {Page} page @param {string} name */
async function shoot(page, name) {
  await page.screenshot({ path: join(OUTPUT, `${name}.png`) });
}

/** How often each question got its whole answer. @param {ModelServer} server */
function timesAnsweredInFull(server) {
  /** @type {Map<string, number>} */
  const times = new Map();
  for (const { content, finished } of server.requests) if (finished) times.set(content, (times.get(content) ?? 0) + 1);
  return times;
}

process.exitCode = (await main()) ? 0 : 1;
