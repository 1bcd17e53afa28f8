import { expect, test } from '../support/fixtures';
import { distinctFiles } from '../support/folder.mjs';
import { clearStorage } from '../support/storage-loss.mjs';

test('IDB-06: the browser is asked to keep what is stored, what it said is shown, and with all of it gone nothing is called done', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(2));
  const app = await openApp({
    grant: folder,
    initScript: () => {
      const asked = { times: 0 };
      Object.assign(window, { asked });
      StorageManager.prototype.persist = () => {
        asked.times += 1;
        return Promise.resolve(false);
      };
    },
  });
  const timesAsked = () => app.page.evaluate(() => (Reflect.get(window, 'asked') as { times: number }).times);
  const task = await app.startTask({ folder, endpoint: modelServer.url });
  await expect.poll(timesAsked).toBe(1);
  await task.waitForStatus('completed');
  await app.open('/storage');
  await expect(app.get('persist')).toHaveAttribute('data-state', 'not_persisted');
  await expect(app.page.getByText('the browser may clear this without asking')).toBeVisible();
  await app.open('/');
  await expect(app.get('task-row')).toHaveCount(1);

  await clearStorage(app.page, app.origin, 'all');
  const next = await app.newTab('/');
  await expect(next.page.getByRole('heading').first()).toBeVisible();
  await expect(next.get('task-row')).toHaveCount(0);
  await expect(next.page.locator('[data-status="completed"]')).toHaveCount(0);
  await next.open(`/task?id=${task.id}`);
  await expect(next.get('task-missing')).toHaveText('task_missing');
});
