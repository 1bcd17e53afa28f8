/** Everything a round plays in: the app's host, model servers, folders on the disk, a browser, and tasks at work. */
import { createServer } from 'node:http';
import { rmSync } from 'node:fs';
import { startStaticHost } from '../../scripts/static-host.mjs';
import { BUILD_DIR } from '../support/build.mjs';
import { startTask } from '../support/start-task.mjs';
import { temporaryDir } from '../support/folder.mjs';
import { BrowserSession } from './browser-session.mjs';
import { ChaosServer } from './chaos-server.mjs';
import { Evidence } from './evidence.mjs';
import { storedState } from './stored-state.mjs';

/** @import { ChaosFolder } from './chaos-folder.mjs' */
/** @import { Question, TaskWish } from './chaos-types' */

/**
 * @typedef {object} World
 * @property {readonly TaskWish[]} tasks
 * @property {readonly ChaosFolder[]} folders of the tasks, in their order
 * @property {readonly ChaosServer[]} servers
 * @property {BrowserSession} browser
 * @property {Evidence} evidence
 * @property {string} elsewhere another site, to go to
 * @property {(task?: TaskWish) => void} interrupted what a task, or each of them, has under way is ended
 * @property {() => Promise<void>} startTasks
 * @property {() => Promise<void>} look takes down what the database holds, if it can be read just now
 * @property {() => number} asked questions so far
 * @property {() => Question[]} questions in order of arrival
 * @property {(isTrue: () => boolean, limitMs: number) => Promise<void>} waitFor something at a server, or the time
 * @property {() => Promise<void>} dispose
 */

/**
 * @param {readonly TaskWish[]} tasks
 * @param {number} count of model servers
 * @param {(root: string, wish: TaskWish) => ChaosFolder} makeFolder
 * @returns {Promise<World>}
 */
export async function makeWorld(tasks, count, makeFolder) {
  const host = await startStaticHost({ dir: BUILD_DIR });
  const root = temporaryDir('chaos');
  const folders = tasks.map((wish) => makeFolder(root, wish));
  const site = createServer((_, response) => response.end('<!doctype html><title>Elsewhere</title>'));
  await new Promise((resolve) => site.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = site.address();
  const sitePort = address !== null && typeof address === 'object' ? address.port : 0;
  /** @type {Question[]} */
  const questions = [];
  const servers = await Promise.all(
    Array.from({ length: count }, () => ChaosServer.start(tasks, (question) => questions.push(question))),
  );
  const browser = new BrowserSession(
    host.url,
    folders.map(({ path }) => path),
  );
  const evidence = new Evidence();

  /** @param {TaskWish} [task] */
  const interrupted = (task) => {
    const calls = (task ? [task] : tasks).reduce((sum, { concurrency }) => sum + concurrency, 0);
    evidence.interrupted(calls);
  };

  return {
    tasks,
    folders,
    servers,
    browser,
    evidence,
    elsewhere: `http://127.0.0.1:${sitePort}/`,
    interrupted,
    async startTasks() {
      await browser.start();
      for (const [index, { concurrency, server }] of tasks.entries()) {
        // Each is started on a page that is loaded for it, which ends the page before.
        interrupted();
        await startTask(browser.tab, {
          origin: host.url,
          folder: folders[index]?.path ?? '',
          endpoint: servers[server]?.url ?? '',
          concurrency,
        });
      }
    },
    async look() {
      const state = await storedState(browser.tab);
      if (state) evidence.saw(state, questions.length);
    },
    asked: () => questions.length,
    questions: () => questions,
    async waitFor(isTrue, limitMs) {
      await Promise.race(servers.map((server) => server.waitFor(isTrue, limitMs)));
    },
    async dispose() {
      await browser.dispose();
      for (const server of servers) await server.stop();
      site.close();
      await host.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}
