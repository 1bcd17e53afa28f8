import { repeatedFiles } from '../support/asked.mjs';
import { stallAfter } from '../support/barriers.mjs';
import { expect, test } from '../support/fixtures';
import { distinctFiles } from '../support/folder.mjs';

test('LIF-06: a worker that dies is noticed within seconds, and the work goes on', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(8));
  const app = await openApp({ grant: folder });
  stallAfter(modelServer, 3);
  const task = await app.startTask({ folder, endpoint: modelServer.url, concurrency: 2 });
  await modelServer.waitFor((server) => server.requests.length === 5 && server.inFlight === 2);
  await task.waitForSettled(3);
  const epoch = await task.epoch();
  modelServer.script(null);
  for (const worker of app.page.workers()) await worker.evaluate(() => self.close()).catch(() => undefined);
  await expect.poll(() => task.epoch(), { timeout: 15_000 }).toBeGreaterThan(epoch);
  await task.waitForStatus('completed');
  await task.expectCounts({ done: 8, failed: 0 });
  expect(repeatedFiles(modelServer)).toEqual([]);
});

test('LIF-08: without SharedWorker the app works as ever', async ({ openApp, modelServer, makeFolder }) => {
  const folder = makeFolder(distinctFiles(2));
  const app = await openApp({ grant: folder, initScript: () => void Reflect.deleteProperty(window, 'SharedWorker') });
  const task = await app.startTask({ folder, endpoint: modelServer.url });
  await task.waitForStatus('completed');
});

test('LIF-08: without Web Locks the app works in one tab and says that more are not safe', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(2));
  const app = await openApp({ grant: folder, args: ['--disable-blink-features=WebLocks'] });
  const hasLocks = await app.page.evaluate(() => 'locks' in navigator);
  test.skip(hasLocks, 'this Chromium cannot be started without Web Locks');
  const task = await app.startTask({ folder, endpoint: modelServer.url });
  await task.waitForStatus('completed');
  await expect(app.page.getByText(/tab/i).first()).toBeVisible();
});
