import { startStaticHost, type StaticHost } from '../../scripts/static-host.mjs';
import { BUILD_DIR } from '../support/build.mjs';
import { expect, test as base } from '../support/fixtures';
import { distinctFiles, outputsIn } from '../support/folder.mjs';

const test = base.extend<{ host: StaticHost }>({
  host: async ({}, use) => {
    const host = await startStaticHost({ dir: BUILD_DIR });
    await use(host);
    await host.close();
  },
});

const ROUTES = ['/', '/new', '/endpoints', '/storage', '/settings', '/help', '/check'];

test('PWA-03: with the web server gone, every page opens and a run on a loopback model completes', async ({
  openApp,
  modelServer,
  makeFolder,
  host,
}) => {
  const folder = makeFolder(distinctFiles(5));
  const online = await openApp({ grant: folder, origin: host.url });
  await online.waitForOfflineReady();
  await online.close();
  await host.close();

  const app = await openApp({ origin: host.url });
  for (const path of ROUTES) {
    await app.open(path);
    await expect(app.page.getByRole('heading').first(), path).toBeVisible();
  }
  const task = await app.startTask({ folder, endpoint: modelServer.url });
  await task.waitForStatus('completed');
  await task.expectCounts({ done: 5, failed: 0 });
  await app.page.reload();
  await expect(await task.report()).toContainText('note-0004.txt');
  await expect.poll(() => outputsIn(folder)[0]?.results.length).toBe(5);
});

test('PWA-03: with no server at all, the sample folder and the built-in engine give a report', async ({
  openApp,
  host,
}) => {
  const online = await openApp({ origin: host.url });
  await online.waitForOfflineReady();
  await online.close();
  await host.close();

  const app = await openApp({ origin: host.url });
  const task = await app.startTask({ folder: null, endpoint: 'built-in' });
  await task.waitForStatus('completed');
  expect((await task.counts()).done).toBeGreaterThan(0);
  await expect(await task.report()).not.toBeEmpty();
  const files = await app.page.context().newPage();
  await files.goto(`${host.url}/task?id=${task.id}&tab=files`);
  await expect(files.getByTestId('file-row').first()).toBeVisible();
});
