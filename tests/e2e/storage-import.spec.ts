import { readFileSync } from 'node:fs';
import type { AppPage } from '../support/app-page';
import { expect, test } from '../support/fixtures';

const VERSION_1 = readFileSync(new URL('../../src/lib/storage/fixtures/export-v1.jsonl', import.meta.url), 'utf8');

async function take(app: AppPage, text: string): Promise<void> {
  await app.open('/storage');
  const file = { name: 'task.jsonl', mimeType: 'application/x-ndjson', buffer: Buffer.from(text) };
  await app.get('import').setInputFiles(file);
}

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
  await app.get('imported').click();
  await expect(app.get('task-state')).toHaveAttribute('data-status', 'completed');
  const { id } = JSON.parse(lines[0] ?? '') as { id: string };
  await expect(await (await app.openTask(id)).report()).toContainText('3 of 3 files');
});
