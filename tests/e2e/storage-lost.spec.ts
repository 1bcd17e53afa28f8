import { gateAfter, stallAfter } from '../support/barriers.mjs';
import { answeredByFile, repeatedFiles } from '../support/asked.mjs';
import { expect, test } from '../support/fixtures';
import { distinctFiles } from '../support/folder.mjs';
import { clearStorage } from '../support/storage-loss.mjs';
import { rebuiltTasks } from '../support/stored-rows';

/** A person must learn within this what became of a task. */
const SOON_MS = 5_000;

test('IDB-02: all storage cleared in mid run ends the run with its code, and a new one can start', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(6));
  const app = await openApp({ grant: folder });
  stallAfter(modelServer, 3);
  const task = await app.startTask({ folder, endpoint: modelServer.url, concurrency: 2 });
  await task.waitForSettled(3);
  await clearStorage(app.page, app.origin, 'all');
  await expect(app.get('task-missing')).toHaveText('task_missing', { timeout: SOON_MS });
  const asked = modelServer.requests.length;
  modelServer.script(null);
  await app.open('/');
  await expect(app.get('task-list').locator(`[data-task-id="${task.id}"]`)).toHaveCount(0);
  const again = await app.startTask({ folder, endpoint: modelServer.url });
  await again.waitForStatus('completed');
  await again.expectCounts({ done: 6 });
  expect(again.id).not.toBe(task.id);
  // Nobody goes on with the task that is gone.
  expect(modelServer.requests.length - asked).toBeGreaterThanOrEqual(6);
});

test('with the files beside the database cleared in mid run, work goes on and is kept twice again', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(10));
  const app = await openApp({ grant: folder });
  stallAfter(modelServer, 4);
  const task = await app.startTask({ folder, endpoint: modelServer.url, concurrency: 2 });
  await task.waitForSettled(4);
  await clearStorage(app.page, app.origin, 'file_systems');
  modelServer.script(null);
  await app.page.reload();
  await task.waitForStatus('completed');
  await task.expectCounts({ done: 10, failed: 0 });
});

test('IDB-02: a database that is cleared in mid run is put back from the journal, and the run goes on', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(12));
  const app = await openApp({ grant: folder });
  const { open } = gateAfter(modelServer, 5);
  const task = await app.startTask({ folder, endpoint: modelServer.url, concurrency: 2 });
  await task.waitForSettled(5);
  const saved = [...answeredByFile(modelServer).keys()];
  const epoch = await task.epoch();
  await clearStorage(app.page, app.origin, 'indexeddb');
  await expect.poll(() => rebuiltTasks(app.page), { timeout: SOON_MS }).toBe(1);
  await expect(app.get('rebuilt')).toBeVisible({ timeout: SOON_MS });
  open();
  await task.waitForSettled(12);
  expect(await task.epoch()).toBe(epoch);
  expect(saved).toHaveLength(5);
  expect(repeatedFiles(modelServer).filter((path) => saved.includes(path))).toEqual([]);
});
