import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import type { AppPage } from './app-page';

/** Hands the import card a file. */
export async function giveFile(app: AppPage, text: string): Promise<void> {
  await app.open('/storage');
  const file = { name: 'task.jsonl', mimeType: 'application/x-ndjson', buffer: Buffer.from(text) };
  await app.get('import').setInputFiles(file);
}

/** Looks into the file, chooses what it goes on with where nothing is chosen, and takes it in. */
export async function takeIn(app: AppPage, text: string, choice?: string): Promise<void> {
  await giveFile(app, text);
  if (choice !== undefined) await app.get('import-endpoint').selectOption(choice);
  await app.get('import-take').click();
}

/** Saves the task as its row under Storage does; resolves to what is in the file. */
export async function saveAsFile(app: AppPage, id: string): Promise<string> {
  await app.open('/storage');
  const arriving = app.page.waitForEvent('download');
  await app.page.locator(`tr[data-task-id="${id}"]`).getByTestId('export-task').click();
  const download = await arriving;
  expect(download.suggestedFilename()).toMatch(/^talaria-[\p{L}\p{N}-]+\.jsonl$/u);
  expect(download.suggestedFilename()).not.toContain(id);
  return readFileSync(await download.path(), 'utf8');
}
