import { stallAfter } from '../support/barriers.mjs';
import { answeredByFile, repeatedFiles } from '../support/asked.mjs';
import { expect, test } from '../support/fixtures';
import { distinctFiles } from '../support/folder.mjs';
import { clearStorage, limitStorage } from '../support/storage-loss.mjs';

/** A person must learn within this what became of a task. */
const SOON_MS = 5_000;

test('IDB-02: a database that is cleared in mid run is put back from the journal, and the run goes on', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(12));
  const app = await openApp({ grant: folder });
  stallAfter(modelServer, 5);
  const task = await app.startTask({ folder, endpoint: modelServer.url, concurrency: 2 });
  await task.waitForSettled(5);
  const saved = [...answeredByFile(modelServer).keys()];
  await clearStorage(app.page, app.origin, 'indexeddb');
  await expect(app.get('rebuilt')).toBeVisible({ timeout: SOON_MS });
  await task.waitForSettled(5);
  expect(saved).toHaveLength(5);
  expect(repeatedFiles(modelServer).filter((path) => saved.includes(path))).toEqual([]);
});

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

test('IDB-01: a full disk in mid run pauses the task with its code, keeps what is saved, and it goes on when there is room', async ({
  openApp,
  startServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(60));
  const long = (n: number) => Array.from({ length: 30_000 }, (_, i) => `${String(n)}-${String(i * 7919)}`).join(' ');
  let answered = 0;
  const server = await startServer({ answer: () => long((answered += 1)) });
  const app = await openApp({ grant: folder });
  const lift = await limitStorage(app.page, app.origin, 3_000_000);
  const task = await app.startTask({ folder, endpoint: server.url, concurrency: 1 });
  await task.waitForStatus('paused', { reason: 'storage', timeoutMs: 60_000 });
  await expect(app.page.locator('[data-code="storage_full"]').first()).toBeVisible({ timeout: SOON_MS });
  const saved = await task.settled();
  expect(saved).toBeGreaterThan(0);
  const seq = await task.seq();
  await lift();
  await expect(task.state).toHaveAttribute('data-status', /running|completed/, { timeout: 30_000 });
  await expect.poll(() => task.seq()).toBeGreaterThan(seq);
  expect(await task.settled()).toBeGreaterThanOrEqual(saved);
  await task.expectCounts({ failed: 0 });
});
