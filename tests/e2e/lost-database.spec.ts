import type { Page } from '@playwright/test';
import { answeredByFile, repeatedFiles } from '../support/asked.mjs';
import { expect, test, type RunningApp } from '../support/fixtures';
import { distinctFiles, outputsIn } from '../support/folder.mjs';
import { tearNewestLog } from '../support/indexeddb-log.mjs';
import { stallAfter } from '../support/barriers.mjs';
import { rebuiltTasks } from '../support/stored-rows';

/** Changes one row, so that Chromium writes behind the torn place. */
function touchDatabase(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('talaria');
        opening.onerror = () => reject(new Error('not opened'));
        opening.onsuccess = () => {
          const writing = opening.result.transaction('settings', 'readwrite');
          writing.objectStore('settings').put({ name: 'touched', value: Date.now() });
          writing.oncomplete = () => {
            opening.result.close();
            resolve();
          };
        };
      }),
  );
}

/** Ends the browser, damages its database as a hard kill may, and starts it twice: the second start finds it gone. */
async function loseDatabase(
  app: RunningApp,
  options: { profile: string; openApp: () => Promise<RunningApp>; beforeLastStart?: () => void },
): Promise<RunningApp> {
  await app.close();
  tearNewestLog(options.profile, app.origin);
  const between = await options.openApp();
  await touchDatabase(between.page);
  await between.close();
  options.beforeLastStart?.();
  return options.openApp();
}

test('a task in mid run is whole again after Chromium has deleted the database', async ({
  openApp,
  profile,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(12));
  const app = await openApp({ grant: folder });
  stallAfter(modelServer, 7);
  const task = await app.startTask({ folder, endpoint: modelServer.url, concurrency: 2 });
  await task.waitForSettled(7);
  const saved = [...answeredByFile(modelServer).keys()];
  const again = await loseDatabase(app, { profile, openApp, beforeLastStart: () => modelServer.script(null) });
  // At once, while the first page is still at it: it goes into the back/forward cache as it is.
  const reopened = await again.openTask(task.id);
  await expect.poll(() => rebuiltTasks(again.page)).toBe(1);
  await reopened.waitForStatus('completed');
  await reopened.expectCounts({ done: 12, failed: 0 });
  await expect(again.get('recovery')).toHaveAttribute('data-repeated', '0');
  expect(saved).toHaveLength(7);
  expect(repeatedFiles(modelServer).filter((path) => saved.includes(path))).toEqual([]);
  await expect.poll(() => outputsIn(folder)[0]?.results.length).toBe(12);
});

test('a finished task, its report and its endpoint are there after the database was deleted', async ({
  openApp,
  profile,
  startServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(5));
  const app = await openApp({ grant: folder });
  const server = await startServer({ key: 'sk-TEST-123456' });
  const task = await app.startTask({ folder, endpoint: server.url, key: 'sk-TEST-123456' });
  await task.waitForStatus('completed');
  await expect.poll(() => outputsIn(folder)[0]?.results.length).toBe(5);
  const asked = server.requests.length;
  const again = await loseDatabase(app, { profile, openApp });
  // At once, while the first page is still at it: it goes into the back/forward cache as it is.
  const reopened = await again.openTask(task.id);
  await expect.poll(() => rebuiltTasks(again.page)).toBe(1);
  await reopened.waitForStatus('completed');
  await reopened.openTab('report');
  await expect(again.get('report')).toContainText('note-0000.txt');
  // The endpoint with its key: another task on it needs nothing typed.
  await again.open('/new');
  await again.chooseFolder(folder);
  const profiles = again.get('endpoint-select').locator('option:not([value="built-in"]):not([value="new"])');
  await expect(profiles).toHaveCount(1);
  await again.get('endpoint-select').selectOption(await profiles.getAttribute('value'));
  await again.get('instructions').fill('Anything new?');
  const other = await again.start();
  await other.waitForStatus('completed');
  expect(other.id).not.toBe(task.id);
  expect(server.requests.length).toBeGreaterThan(asked);
  expect(new Set(server.requests.map(({ headers }) => headers.authorization))).toEqual(
    new Set(['Bearer sk-TEST-123456']),
  );
});
