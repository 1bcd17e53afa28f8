import { fileAsked, repeatedFiles } from '../support/asked.mjs';
import { expect, test } from '../support/fixtures';
import { distinctFiles } from '../support/folder.mjs';

test('a broken model stops at the share of failures that was set, and goes on when the person says so', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(40));
  modelServer.script((request) =>
    Number(fileAsked(request.content)?.slice(5, 9)) % 4 === 0
      ? { type: 'json', status: 400, body: { error: { message: 'no such tokenizer' } } }
      : null,
  );
  const app = await openApp({ grant: folder });
  await app.newTask({ folder, endpoint: modelServer.url, concurrency: 1 });
  await app.get('limits').click();
  await app.get('failure-percent').fill('20');
  const task = await app.start();
  await task.waitForStatus('paused', { reason: 'attention' });
  const { done, failed } = await task.counts();
  expect(failed * 100).toBeGreaterThanOrEqual((done + failed) * 20);
  expect(done + failed).toBeLessThan(40);
  await expect(app.page.locator('[data-code="too_many_failures"]').first()).toBeVisible();
  modelServer.script(null);
  await task.press('continue');
  await task.waitForStatus('completed');
  await task.expectCounts({ done: 40 - failed, failed });
  await task.press('retry-failed');
  await task.waitForStatus('completed');
  await task.expectCounts({ done: 40, failed: 0 });
});

test('a limit that cannot be taken starts nothing, and one that can does', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(2));
  const app = await openApp({ grant: folder });
  await app.newTask({ folder, endpoint: modelServer.url });
  await app.get('limits').click();
  await app.get('deadline-hours').fill('0');
  await expect(app.get('start')).toBeDisabled();
  await app.get('deadline-hours').fill('1.5');
  const task = await app.start();
  await task.waitForStatus('completed');
  expect(repeatedFiles(modelServer)).toEqual([]);
});
