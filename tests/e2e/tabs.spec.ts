import { askedByFile, repeatedFiles } from '../support/asked.mjs';
import { stallAfter } from '../support/barriers.mjs';
import { expect, test } from '../support/fixtures';
import { distinctFiles } from '../support/folder.mjs';
import type { TaskPage } from '../support/task-page';

test('RES-09: two tabs pressing continue at once run the task once', async ({ openApp, modelServer, makeFolder }) => {
  const folder = makeFolder(distinctFiles(10));
  const app = await openApp({ grant: folder });
  stallAfter(modelServer, 3);
  const task = await app.startTask({ folder, endpoint: modelServer.url, concurrency: 2 });
  await modelServer.waitFor((server) => server.requests.length === 5 && server.inFlight === 2);
  await task.press('pause');
  await task.waitForStatus('paused', { reason: 'user' });
  modelServer.script(null);
  modelServer.forget();
  const other = await (await app.newTab()).openTask(task.id);
  await other.waitForStatus('paused');
  await Promise.all([pressIfThere(task), pressIfThere(other)]);
  await task.waitForStatus('completed');
  await other.waitForStatus('completed');
  await task.expectCounts({ done: 10, failed: 0 });
  await other.expectCounts({ done: 10, failed: 0 });
  expect([...askedByFile(modelServer).values()]).toEqual(Array(7).fill(1));
});

/** The slower tab may find that the button has gone, since the task runs already. */
async function pressIfThere(task: TaskPage): Promise<void> {
  await task.app
    .get('continue')
    .click({ timeout: 3_000 })
    .catch(() => undefined);
}

test('RES-09: a second tab follows, and takes over when the first is closed', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(8));
  const app = await openApp({ grant: folder });
  stallAfter(modelServer, 3);
  const task = await app.startTask({ folder, endpoint: modelServer.url, concurrency: 2 });
  await modelServer.waitFor((server) => server.requests.length === 5 && server.inFlight === 2);
  const other = await (await app.newTab()).openTask(task.id);
  await other.waitForStatus('running');
  await other.expectCounts({ done: 3 });
  const epoch = await other.epoch();
  modelServer.script(null);
  await app.page.close();
  await other.waitForStatus('completed');
  expect(await other.epoch()).toBeGreaterThan(epoch);
  await other.expectCounts({ done: 8, failed: 0 });
  expect(repeatedFiles(modelServer)).toEqual([]);
});

test('a tab in the back/forward cache owns nothing', async ({ openApp, modelServer, makeFolder }) => {
  const folder = makeFolder(distinctFiles(8));
  const app = await openApp({ grant: folder });
  stallAfter(modelServer, 3);
  const task = await app.startTask({ folder, endpoint: modelServer.url, concurrency: 2 });
  await modelServer.waitFor((server) => server.requests.length === 5 && server.inFlight === 2);
  const other = await (await app.newTab()).openTask(task.id);
  await other.waitForStatus('running');
  modelServer.script(null);
  await app.page.evaluate(() => Reflect.set(window, 'keptInCache', true));
  await app.page.goto(`${modelServer.origin}/health`);
  await other.waitForStatus('completed');
  await other.expectCounts({ done: 8, failed: 0 });
  expect(repeatedFiles(modelServer)).toEqual([]);
  // A page that comes back from the cache does not load again.
  await app.page.goBack({ waitUntil: 'commit' });
  expect(await app.page.evaluate(() => 'keptInCache' in window)).toBe(true);
  await task.waitForStatus('completed');
  await task.expectCounts({ done: 8 });
});
