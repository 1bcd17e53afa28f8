import { readFileSync, rmSync } from 'node:fs';
import type { Download } from '@playwright/test';
import { agentOf, askAgent, rowsIn } from '../support/agent-calls';
import type { AppPage } from '../support/app-page';
import { askedByFile } from '../support/asked.mjs';
import { stallAfter } from '../support/barriers.mjs';
import { dropFolder, pickerStub, seedProfile } from '../support/browser.mjs';
import { expect, test } from '../support/fixtures';
import { distinctFiles, outputsIn } from '../support/folder.mjs';

const VERSION_1 = readFileSync(new URL('../../src/lib/storage/fixtures/export-v1.jsonl', import.meta.url), 'utf8');

async function take(app: AppPage, text: string): Promise<void> {
  await app.open('/storage');
  const file = { name: 'task.jsonl', mimeType: 'application/x-ndjson', buffer: Buffer.from(text) };
  await app.get('import').setInputFiles(file);
}

/** Looks into the file, chooses what it goes on with where nothing is, and takes it in. */
async function takeIn(app: AppPage, text: string, choice?: string): Promise<void> {
  await take(app, text);
  if (choice !== undefined) await app.get('import-endpoint').selectOption(choice);
  await app.get('import-take').click();
}

async function save(app: AppPage, id: string): Promise<string> {
  await app.open('/storage');
  const arriving = app.page.waitForEvent('download');
  await app.page.locator(`tr[data-task-id="${id}"]`).getByTestId('export-task').click();
  const download = await arriving;
  expect(download.suggestedFilename()).toMatch(/^talaria-[\p{L}\p{N}-]+\.jsonl$/u);
  expect(download.suggestedFilename()).not.toContain(id);
  return readText(download);
}

async function readText(download: Download): Promise<string> {
  return readFileSync(await download.path(), 'utf8');
}

test('a task that was saved as a file goes on in another browser, and asks only for what is missing', async ({
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
  const [endpoint] = await rowsIn<{ baseUrl: string; model: string }>(await agentOf(before.page), 'endpoints');
  const text = await save(before, begun.id);
  await before.close();
  rmSync(profile, { recursive: true });
  seedProfile(profile, origin, folder);
  modelServer.script(null);
  modelServer.forget();

  const after = await openApp({ initScript: pickerStub });
  await take(after, 'name,size\n');
  await expect(after.page.getByText('import_unreadable')).toBeVisible();
  await askAgent(await agentOf(after.page), 'saveEndpoint', { ...endpoint, id: null, name: 'Here', keepKey: 'stored' });
  await take(after, text);
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

  await take(after, text);
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
  for (const [text, code, words] of [
    [newer, 'import_from_newer_version', 'newer version'],
    [damaged, 'import_unreadable', 'Line 4 of this file'],
    [short, 'import_unreadable', `Line ${String(lines.length)} of this file`],
  ] as const) {
    await take(app, text);
    await expect(app.page.getByText(code)).toBeVisible();
    await expect(app.page.getByText(words)).toBeVisible();
    await app.open('/');
    await expect(app.get('task-row')).toHaveCount(0);
  }
  await take(app, VERSION_1);
  await expect(app.get('import-endpoint')).toHaveValue('');
  await expect(app.get('import-take')).toBeDisabled();
  await expect(app.get('import-other-model')).toContainText('No endpoint here has NousResearch/Hermes-3-Llama-3.1-8B');
  await app.get('import-leave').click();
  await app.open('/');
  await expect(app.get('task-row')).toHaveCount(0);
  await takeIn(app, VERSION_1, 'built-in');
  await app.get('imported').click();
  await expect(app.get('task-state')).toHaveAttribute('data-status', 'completed');
  const { id } = JSON.parse(lines[0] ?? '') as { id: string };
  await expect(await (await app.openTask(id)).report()).toContainText('3 of 3 files');
});
