import { stallAfter } from '../support/barriers.mjs';
import { expect, test } from '../support/fixtures';
import { distinctFiles } from '../support/folder.mjs';
import { clearStorage } from '../support/storage-loss.mjs';

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
