import { readFileSync } from 'node:fs';
import { askedByFile } from '../support/asked.mjs';
import { stallAfter } from '../support/barriers.mjs';
import { dropFolder } from '../support/browser.mjs';
import { expect, test } from '../support/fixtures';
import { distinctFiles, outputsIn } from '../support/folder.mjs';
import { storedRows } from '../support/stored-rows';
import { giveFile, moveToAnotherBrowser, saveAsFile, takeIn } from '../support/task-as-file';

const VERSION_1 = readFileSync(new URL('../../src/lib/storage/fixtures/export-v1.jsonl', import.meta.url), 'utf8');

test('ASK-06: a task that was saved as a file goes on in another browser, and asks only for what is missing', async ({
  openApp,
  profile,
  modelServer,
  makeFolder,
  app: { origin },
}) => {
  const folder = makeFolder(distinctFiles(4));
  stallAfter(modelServer, 2);
  const before = await openApp({ grant: folder });
  const begun = await before.startTask({ folder, endpoint: modelServer.url, concurrency: 1 });
  await begun.expectCounts({ done: 2 });
  await begun.press('pause');
  await begun.waitForStatus('paused', { reason: 'user' });
  const text = await saveAsFile(before, begun.id);

  const after = await moveToAnotherBrowser(before, { openApp, profile, origin, folder, modelServer });
  await giveFile(after, text);
  await expect(after.get('import-found')).toContainText('2 of 4 files');
  await expect(after.get('import-endpoint').locator('option:checked')).toContainText('Here');
  await expect(after.get('import-other-model')).toHaveCount(0);
  await after.get('import-take').click();
  await after.get('imported').click();
  const task = await after.openTask(begun.id);
  await task.waitForStatus('paused', { reason: 'permission' });
  await task.expectCounts({ done: 2 });
  await expect(after.page.locator('[data-code="folder_not_given"]')).toBeVisible();
  await expect(after.get('grant-folder')).toHaveCount(0);
  await after.get('rebind-folder').click();
  await dropFolder(after.page, after.page.locator('body'), folder);
  await task.waitForStatus('completed');
  await task.expectCounts({ done: 4, failed: 0 });
  expect([...askedByFile(modelServer).values()]).toEqual([1, 1]);
  await expect.poll(() => outputsIn(folder)[0]?.report).toContain('4 of 4 files');

  await giveFile(after, text);
  await expect(after.page.getByText('import_task_exists')).toBeVisible();
});

test('a file of the first version is a task that can be read; a newer, a damaged and a short one are none', async ({
  openApp,
}) => {
  const app = await openApp();
  const lines = VERSION_1.trimEnd().split('\n');
  const newer = VERSION_1.replace('"v":1', '"v":2');
  const damaged = [...lines.slice(0, 3), (lines[3] ?? '').slice(0, -4), ...lines.slice(4)].join('\n');
  const short = lines.slice(0, -1).join('\n');
  const { id } = JSON.parse(lines[0] ?? '') as { id: string };
  const twice = [...lines.slice(0, 5), lines[4] ?? '', ...lines.slice(5)].join('\n');
  for (const [text, code, words] of [
    [newer, 'import_from_newer_version', 'newer version'],
    [damaged, 'import_unreadable', 'Line 4 of this file'],
    [short, 'import_unreadable', `Line ${String(lines.length)} of this file`],
    [VERSION_1.slice(0, -9), 'import_unreadable', `Line ${String(lines.length)} of this file`],
    [twice, 'import_unreadable', 'Line 6 of this file'],
    ['', 'import_unreadable', 'Line 1 of this file'],
    [VERSION_1.replaceAll(id, '..'), 'import_unreadable', 'Line 1 of this file'],
    [VERSION_1.replaceAll('note-0000.txt', '..\\\\x'), 'import_unreadable', 'Line 5 of this file'],
  ] as const) {
    await giveFile(app, text);
    await expect(app.page.getByText(code)).toBeVisible();
    await expect(app.page.getByText(words)).toBeVisible();
    await app.open('/');
    await expect(app.get('task-row')).toHaveCount(0);
  }
  for (const table of ['tasks', 'steps', 'results', 'folders']) expect(await storedRows(app.page, table)).toEqual([]);
  await giveFile(app, VERSION_1);
  await expect(app.get('import-endpoint')).toHaveValue('');
  await expect(app.get('import-take')).toBeDisabled();
  await expect(app.get('import-other-model')).toContainText('No endpoint here has NousResearch/Hermes-3-Llama-3.1-8B');
  await app.get('import-leave').click();
  await app.open('/');
  await expect(app.get('task-row')).toHaveCount(0);
  await takeIn(app, `\ufeff${VERSION_1.replaceAll('\n', '\r\n')}`, 'built-in');
  await app.get('imported').click();
  await expect(app.get('task-state')).toHaveAttribute('data-status', 'completed');
  await expect(await (await app.openTask(id)).report()).toContainText('3 of 3 files');
});
