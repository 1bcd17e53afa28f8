import { dropFolder, pickerStub } from '../support/browser.mjs';
import { expect, test } from '../support/fixtures';
import { distinctFiles, outputsIn } from '../support/folder.mjs';

test('a folder taken with the picker is worked through like a dropped one', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(3));
  const app = await openApp({ grant: folder, initScript: pickerStub, path: '/new' });
  await app.get('folder-pick').click();
  // No dialog can be answered here: the picker is answered by a drag of the folder onto the page.
  await dropFolder(app.page, app.page.locator('body'), folder);
  await expect(app.get('file-count')).toHaveAttribute('data-value', '3');
  await app.get('endpoint-select').selectOption('new');
  await app.get('endpoint-url').fill(modelServer.url);
  const task = await app.start();
  await task.waitForStatus('completed');
  await task.expectCounts({ done: 3, failed: 0 });
  await expect.poll(() => outputsIn(folder)[0]?.results.length).toBe(3);
});
