import type { Page } from '@playwright/test';
import { askedByFile, repeatedFiles } from '../support/asked.mjs';
import { gateAfter, stallAfter } from '../support/barriers.mjs';
import { expect, test } from '../support/fixtures';
import { distinctFiles } from '../support/folder.mjs';
import { freezeForReal, killRenderer } from '../support/frozen-renderer';
import type { ModelServer } from '../support/model-server-types';

const FILES = 8;
/** Far below the lease: the browser's word is what it was taken over on, not silence. It takes some tenths of a second. */
const AT_ONCE_MS = 5_000;

/** A tab whose task has three files done and two requests out that nobody answers, and a second tab that watches. */
async function ownerAndWatcher(
  openApp: Parameters<Parameters<typeof test>[2]>[0]['openApp'],
  modelServer: ModelServer,
  folder: string,
  initScript: () => void = () => undefined,
) {
  const app = await openApp({ grant: folder, initScript });
  stallAfter(modelServer, 3);
  const task = await app.startTask({ folder, endpoint: modelServer.url, concurrency: 2 });
  await modelServer.waitFor((server) => server.requests.length === 5 && server.inFlight === 2);
  const other = await (await app.newTab()).openTask(task.id);
  await other.waitForStatus('running');
  await other.expectCounts({ done: 3 });
  const epoch = await other.epoch();
  modelServer.script(null);
  return { app, task, other, epoch };
}

test('an owner that is closed is taken over from at once', async ({ openApp, modelServer, makeFolder }) => {
  const { app, other, epoch } = await ownerAndWatcher(openApp, modelServer, makeFolder(distinctFiles(FILES)));
  await app.page.close();
  await expect.poll(() => other.epoch(), { timeout: AT_ONCE_MS, intervals: [50] }).toBe(epoch + 1);
  await other.waitForStatus('completed');
  await other.expectCounts({ done: FILES, failed: 0 });
  expect(repeatedFiles(modelServer)).toEqual([]);
});

test('an owner whose renderer dies is taken over from as fast', async ({ openApp, modelServer, makeFolder }) => {
  const { app, other, epoch } = await ownerAndWatcher(openApp, modelServer, makeFolder(distinctFiles(FILES)));
  await killRenderer(app.page);
  await expect.poll(() => other.epoch(), { timeout: AT_ONCE_MS, intervals: [50] }).toBe(epoch + 1);
  await other.waitForStatus('completed');
  await other.expectCounts({ done: FILES, failed: 0 });
  expect(repeatedFiles(modelServer)).toEqual([]);
});

test('LIF-04: an owner that is frozen is stolen from; thawed, it writes nothing and its screen follows', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const { app, task, other, epoch } = await ownerAndWatcher(
    openApp,
    modelServer,
    makeFolder(distinctFiles(FILES)),
    // A stopped process would take the service worker along, which a page that the browser freezes does not.
    () => void Reflect.deleteProperty(Navigator.prototype, 'serviceWorker'),
  );
  const frozen = await freezeForReal(app.page);
  try {
    await expect.poll(() => other.epoch(), { timeout: 30_000 }).toBe(epoch + 1);
    await other.waitForStatus('completed');
    await other.expectCounts({ done: FILES, failed: 0 });
  } finally {
    frozen.thaw();
  }
  const [seq, asked] = [await other.seq(), modelServer.requests.length];
  await task.waitForStatus('completed');
  await task.expectCounts({ done: FILES, failed: 0 });
  // Once it is the owner again, everything that it was to do as the old one is behind it.
  await task.press('continue');
  await expect.poll(() => other.epoch()).toBeGreaterThan(epoch + 1);
  await other.waitForStatus('completed');
  await other.expectCounts({ done: FILES, failed: 0 });
  expect(await other.epoch()).toBe(epoch + 2);
  expect(await other.seq()).toBeGreaterThan(seq);
  expect(modelServer.requests).toHaveLength(asked);
  expect(repeatedFiles(modelServer)).toEqual([]);
});

test('RES-09: eight tabs pressing continue at once run the task once', async ({ openApp, modelServer, makeFolder }) => {
  const folder = makeFolder(distinctFiles(12));
  const app = await openApp({ grant: folder });
  stallAfter(modelServer, 3);
  const task = await app.startTask({ folder, endpoint: modelServer.url, concurrency: 2 });
  await modelServer.waitFor((server) => server.requests.length === 5 && server.inFlight === 2);
  await task.press('pause');
  await task.waitForStatus('paused', { reason: 'user' });
  modelServer.script(null);
  modelServer.forget();
  const tabs = [task];
  while (tabs.length < 8) tabs.push(await (await app.newTab()).openTask(task.id));
  for (const tab of tabs) await expect(tab.app.get('continue')).toBeVisible();
  const epoch = await task.epoch();
  // In the page itself: by the time of a click from outside, the button may be gone, since the task runs already.
  const press = () => document.querySelector<HTMLElement>('[data-testid="continue"]')?.click();
  await Promise.all(tabs.map((tab) => tab.app.page.evaluate(press)));
  for (const tab of tabs) await tab.waitForStatus('completed');
  for (const tab of tabs) await tab.expectCounts({ done: 12, failed: 0 });
  expect(await task.epoch()).toBe(epoch + 1);
  expect([...askedByFile(modelServer).values()]).toEqual(Array(9).fill(1));
});

test('LIF-03: a wall clock that jumps in mid run ends no lease and no task', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(FILES));
  const app = await openApp({ grant: folder });
  const gate = gateAfter(modelServer, 3);
  const task = await app.startTask({ folder, endpoint: modelServer.url, concurrency: 2 });
  await modelServer.waitFor((server) => server.requests.length === 5 && server.inFlight === 2);
  const watcher = await app.newTab();
  const other = await watcher.openTask(task.id);
  await other.expectCounts({ done: 3 });
  const epoch = await other.epoch();
  const hourMs = 60 * 60_000;
  for (const shiftMs of [3 * hourMs, -3 * hourMs, 8 * 24 * hourMs]) {
    for (const { page } of [app, watcher]) await shiftWallClock(page, shiftMs);
  }
  gate.open();
  await task.waitForStatus('completed');
  await other.waitForStatus('completed');
  await other.expectCounts({ done: FILES, failed: 0 });
  expect(await other.epoch()).toBe(epoch);
  expect(modelServer.requests.filter(({ finished }) => !finished)).toEqual([]);
  expect([...askedByFile(modelServer).values()]).toEqual(Array(FILES).fill(1));
});

/** Sets the clock that a page and its workers read, against what they read until now. */
async function shiftWallClock(page: Page, byMs: number): Promise<void> {
  const shift = (ms: number) => {
    const before = Date.now;
    Date.now = () => before() + ms;
  };
  await page.evaluate(shift, byMs);
  for (const worker of page.workers()) await worker.evaluate(shift, byMs);
}
