import { repeatedFiles } from '../support/asked.mjs';
import { gateAfter, stallAfter } from '../support/barriers.mjs';
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

test('to pull the plug ends the worker in the middle of its work, and nothing is lost or asked again', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(30));
  const app = await openApp({ grant: folder });
  const gate = gateAfter(modelServer, 10);
  const task = await app.startTask({ folder, endpoint: modelServer.url, concurrency: 2 });
  await task.waitForSettled(10);
  const left = await task.epoch();
  await task.openTab('activity');
  // The page that was opened has a worker of its own, which is there to be ended once it has the task.
  await expect.poll(() => task.epoch()).toBeGreaterThan(left);
  const epoch = await task.epoch();
  await app.get('pull-plug').click();
  await expect(app.page.getByText('The worker will end at its next step')).toBeVisible();
  // Those that wait are answered, and the next worker comes to stand still as well.
  const later = gateAfter(modelServer, 4);
  gate.open();
  await expect.poll(() => task.epoch(), { timeout: 15_000 }).toBeGreaterThan(epoch);
  // What happened is told once it has happened, and the button is as it was.
  const line = app.get('activity').locator('li[data-what="unplugged"]');
  await expect(line).toContainText('You pulled the plug');
  await expect(line).toContainText(/in flight|nothing lost/);
  await expect(app.page.getByText('The worker will end at its next step')).toHaveCount(0);
  await expect(app.get('pull-plug')).toBeVisible();
  later.open();
  await task.waitForStatus('completed');
  await task.expectCounts({ done: 30, failed: 0 });
  // What was in flight when the worker ended, at most.
  expect(repeatedFiles(modelServer).length).toBeLessThanOrEqual(2);
});

test('LIF-08: without SharedWorker the app works as ever', async ({ openApp, modelServer, makeFolder }) => {
  const folder = makeFolder(distinctFiles(2));
  const app = await openApp({ grant: folder, initScript: () => void Reflect.deleteProperty(window, 'SharedWorker') });
  const task = await app.startTask({ folder, endpoint: modelServer.url });
  await task.waitForStatus('completed');
});

test('LIF-08: without Web Locks the app works in one tab and says that more are not safe', async ({
  openApp,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(2));
  const app = await openApp({
    grant: folder,
    initScript: () => {
      Reflect.deleteProperty(Navigator.prototype, 'locks');
      // Or the worker's script would come from there, past the change below.
      Reflect.deleteProperty(Navigator.prototype, 'serviceWorker');
    },
    prepare: (page) =>
      page.route(/agent\.worker/, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: `delete WorkerNavigator.prototype.locks;\n${await response.text()}` });
      }),
  });
  // A page that is left in the middle of making the database would be kept with it, and keep it closed to others.
  await expect
    .poll(() => app.page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name)))
    .toContain('talaria');
  // Without a server: a script that did not come over the network may reach none on this device.
  const task = await app.startTask({ folder, endpoint: 'built-in' });
  await task.waitForStatus('completed');
  expect(await app.page.evaluate(() => 'locks' in navigator)).toBe(false);
  expect(await app.page.workers()[0]?.evaluate(() => 'locks' in navigator)).toBe(false);
  await expect(app.page.getByText(/one tab/i).first()).toBeVisible();
});
