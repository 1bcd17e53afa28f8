import type { BrowserContext, Page } from '@playwright/test';
import { expect, test } from '../support/fixtures';

/** The layout that the app's first version made, as its tables and their keys. */
const FIRST_LAYOUT = {
  tasks: 'id',
  steps: ['taskId', 'key'],
  results: 'key',
  activity: ['taskId', 'seq', 'n'],
  folders: 'id',
  endpoints: 'id',
  keys: 'id',
  settings: 'name',
  vault: 'name',
  removals: 'id',
};

/** A page of the same origin that is not the app. */
async function strangerOf(context: BrowserContext, origin: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${origin}/sample/index.json`);
  return page;
}

/** Opens the database in another version, adding `tables`, and keeps it open whatever others ask. */
function openAs(page: Page, version: number, tables: Readonly<Record<string, string | string[]>>): Promise<void> {
  return page.evaluate(
    ([wanted, layout]) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('talaria', wanted);
        opening.onupgradeneeded = () => {
          for (const [name, keyPath] of Object.entries(layout)) opening.result.createObjectStore(name, { keyPath });
        };
        opening.onerror = () => reject(new Error(String(opening.error)));
        opening.onsuccess = () => {
          Reflect.set(globalThis, 'held', opening.result);
          resolve();
        };
      }),
    [version, tables] as const,
  );
}

test('an older tab that holds the database is named within seconds, and the work goes on when it is closed', async ({
  openApp,
  app: { origin },
}) => {
  let older: Page | null = null;
  const app = await openApp({
    prepare: async (page) => {
      older = await strangerOf(page.context(), origin);
      await openAs(older, 10, FIRST_LAYOUT);
    },
  });
  const banner = app.page.locator('[role="alert"] [data-code="storage_blocked"]');
  await expect(banner).toBeVisible({ timeout: 5_000 });
  // Who comes second is told by no event what it waits for.
  const second = await app.newTab('/');
  await expect(second.get('opening')).toBeVisible({ timeout: 1_000 });
  await expect(second.page.locator('[role="alert"] [data-code="storage_blocked"]')).toBeVisible({ timeout: 10_000 });
  await expect(second.get('opening')).toHaveCount(0);
  await second.open('/new');
  await second.get('folder-sample').click();
  await expect(second.get('file-count')).toBeVisible();
  await expect(second.page.getByText('Nothing can be saved just now')).toBeVisible();
  await expect(second.get('start')).toBeDisabled();
  await (older as Page | null)?.close();
  await expect(banner).toHaveCount(0);
  const task = await app.startTask({ folder: null, endpoint: 'built-in' });
  await task.waitForStatus('completed');
});

test('data of a newer version is told within seconds and left alone', async ({ openApp, allowProblems }) => {
  allowProblems(/./);
  const app = await openApp();
  const task = await app.startTask({ folder: null, endpoint: 'built-in' });
  await task.waitForStatus('completed');
  const newer = await strangerOf(app.page.context(), app.origin);
  await openAs(newer, 1_000, { later: 'id' });
  const banner = app.page.locator('[role="alert"] [data-code="row_from_newer_version"]');
  await expect(banner).toBeVisible({ timeout: 5_000 });
  await app.page.reload();
  await expect(banner).toBeVisible({ timeout: 5_000 });
  await expect(banner).toContainText('newer version');
  // Nobody is greeted as new, and nothing is offered that could not be saved.
  await app.open('/');
  await expect(app.page.getByRole('heading', { name: 'Tasks' })).toBeVisible();
  await expect(app.page.getByText('Let your model work through a folder')).toHaveCount(0);
  await app.open('/new');
  await app.get('folder-sample').click();
  await expect(app.get('file-count')).not.toHaveAttribute('data-value', '0');
  await expect(app.page.getByText('Nothing can be saved just now')).toBeVisible();
  await expect(app.get('start')).toBeDisabled();
  await app.open('/storage');
  await expect(banner).toBeVisible();
  await expect(app.page.getByRole('heading', { name: 'Storage' })).toBeVisible();
  await expect(app.page.getByText('Bring a task from elsewhere')).toHaveCount(0);
  const names = await newer.evaluate(() => [...(Reflect.get(globalThis, 'held') as IDBDatabase).objectStoreNames]);
  expect(names).toContain('later');
  expect(names).toContain('tasks');
});
