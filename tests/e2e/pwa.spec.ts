import { cpSync, rmSync } from 'node:fs';
import { startStaticHost } from '../../scripts/static-host.mjs';
import { askedByFile, fileAsked } from '../support/asked.mjs';
import { stallAfter } from '../support/barriers.mjs';
import { BUILD_DIR } from '../support/build.mjs';
import { makeNextBuild } from '../support/deploy.mjs';
import { expect, test } from '../support/fixtures';
import { distinctFiles, temporaryDir } from '../support/folder.mjs';

test('PWA-01: a deploy in mid run loses neither the run nor the old tab', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const served = temporaryDir('served');
  const next = temporaryDir('next');
  const host = await startStaticHost({ dir: served });
  try {
    cpSync(BUILD_DIR, served, { recursive: true });
    makeNextBuild(BUILD_DIR, next);
    const folder = makeFolder(distinctFiles(6));
    const app = await openApp({ grant: folder, origin: host.url });
    await app.waitForOfflineReady();
    stallAfter(modelServer, 2);
    const task = await app.startTask({ folder, endpoint: modelServer.url, concurrency: 2 });
    await modelServer.waitFor((server) => server.requests.length === 4 && server.inFlight === 2);

    rmSync(served, { recursive: true });
    cpSync(next, served, { recursive: true });
    await app.page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
    // Client-side navigation needs chunks that the server has no more.
    for (const path of ['/settings', '/help', '/storage', '/endpoints', '/new']) {
      await app.page.locator(`a[href="${path}"]`).first().click();
      await expect(app.page).toHaveURL(host.url + path);
      await expect(app.page.getByRole('heading').first()).toBeVisible();
    }
    expect(modelServer.inFlight).toBe(2);
    modelServer.killConnections();
    modelServer.script(null);
    await (await app.openTask(task.id)).waitForStatus('completed', { timeoutMs: 60_000 });
    await task.expectCounts({ done: 6, failed: 0 });
  } finally {
    await host.close();
    for (const dir of [served, next]) rmSync(dir, { recursive: true, force: true });
  }
});

test('PWA-05: a long answer does not pass the service worker', async ({ openApp, startServer, makeFolder }) => {
  test.slow();
  const server = await startServer();
  // Longer than a service worker may live without an event.
  const chunks = Array.from({ length: 16 }, (_, index) => `piece ${String(index)} `);
  server.script(({ content }) =>
    fileAsked(content) === 'note-0001.txt' ? { type: 'stream', chunks, betweenMs: 2_200 } : null,
  );
  const folder = makeFolder(distinctFiles(2));
  const app = await openApp({ grant: folder });
  await app.waitForOfflineReady();
  await app.page.reload();
  expect(await app.page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  const [passed, direct]: [string[], string[]] = [[], []];
  app.page.context().on('response', (response) => {
    if (response.url().startsWith(server.origin)) (response.fromServiceWorker() ? passed : direct).push(response.url());
  });
  const task = await app.startTask({ folder, endpoint: server.url });
  await task.waitForStatus('completed', { timeoutMs: 60_000 });
  await task.expectCounts({ done: 2, failed: 0 });
  expect([...askedByFile(server).values()]).toEqual([1, 1]);
  expect(passed).toEqual([]);
  expect(direct.length).toBeGreaterThan(2);
  await expect(await task.fileDetail('note-0001.txt')).toContainText('piece 0 piece 1');
  await expect(app.get('file-detail')).toContainText('piece 15');
  const cached = await app.page.evaluate(async () => {
    const keys = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
    return keys.flat().map((request) => request.url);
  });
  expect(cached.length).toBeGreaterThan(0);
  expect(cached.filter((url) => url.startsWith(server.origin))).toEqual([]);
});

test('PWA-07: on an address that is not secure the app says so and does not crash', async ({ openApp, app }) => {
  const { port } = new URL(app.origin);
  const insecure = await openApp({
    origin: `http://lan.test:${port}`,
    args: ['--host-resolver-rules=MAP lan.test 127.0.0.1'],
  });
  expect(await insecure.page.evaluate(() => isSecureContext)).toBe(false);
  await expect(insecure.page.getByRole('alert')).toContainText('This address is not secure');
  await insecure.open('/new');
  await expect(insecure.page.getByRole('heading').first()).toBeVisible();
});
