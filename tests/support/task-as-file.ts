import { readFileSync, rmSync } from 'node:fs';
import { expect } from '@playwright/test';
import { agentOf, askAgent } from './agent-calls';
import type { AppPage } from './app-page';
import { pickerStub, seedProfile } from './browser.mjs';
import type { OpenOptions, RunningApp } from './fixtures';
import type { ModelServer } from './model-server-types';
import { storedRows } from './stored-rows';

interface Move {
  readonly openApp: (options?: OpenOptions) => Promise<RunningApp>;
  readonly profile: string;
  readonly origin: string;
  /** May be picked in the other browser. */
  readonly folder: string;
  readonly modelServer: ModelServer;
}

/** Leaves a browser for one that knows nothing but its only endpoint, now called `Here`, whose server answers as ever. */
export async function moveToAnotherBrowser(
  before: RunningApp,
  { openApp, profile, origin, folder, modelServer }: Move,
): Promise<RunningApp> {
  const [endpoint] = await storedRows<object>(before.page, 'endpoints');
  await before.close();
  rmSync(profile, { recursive: true });
  seedProfile(profile, origin, folder);
  modelServer.script(null);
  modelServer.forget();
  const after = await openApp({ initScript: pickerStub });
  // A page has a worker once it asks for something.
  await giveFile(after, 'name,size\n');
  await expect(after.page.getByText('import_unreadable')).toBeVisible();
  await askAgent(await agentOf(after.page), 'saveEndpoint', { ...endpoint, id: null, name: 'Here', keepKey: 'stored' });
  return after;
}

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
