import type { Download } from '@playwright/test';
import { blockStorage } from '../support/browser.mjs';
import { expect, test } from '../support/fixtures';
import { distinctFiles } from '../support/folder.mjs';

test('IDB-08: with storage forbidden the app opens and says that nothing can be kept', async ({
  openApp,
  profile,
  app: { origin },
  allowProblems,
}) => {
  allowProblems(/Access to storage is not allowed|denied for this document|The user denied permission/);
  blockStorage(profile, origin);
  const app = await openApp();
  expect(await app.page.evaluate(openDatabase)).toBe('refused');
  await expect(app.page.getByRole('navigation').first()).toBeVisible();
  await expect(app.page.getByRole('alert').or(app.page.getByRole('status')).first()).toContainText(
    /stor|keep|kept|sav/i,
  );
  for (const path of ['/new', '/endpoints', '/storage', '/settings', '/help']) {
    await app.open(path);
    await expect(app.page.getByRole('heading').first()).toBeVisible();
  }
});

function openDatabase(): Promise<'opened' | 'refused'> {
  return new Promise((resolve) => {
    try {
      const request = indexedDB.open('probe');
      request.onsuccess = () => resolve('opened');
      request.onerror = () => resolve('refused');
    } catch {
      resolve('refused');
    }
  });
}

test('on a phone, a kept task can be saved and deleted without scrolling to the side', async ({ openApp }) => {
  const app = await openApp();
  await app.page.setViewportSize({ width: 390, height: 844 });
  const task = await app.startTask({ folder: null, endpoint: 'built-in' });
  await task.waitForStatus('completed');
  await app.open('/storage');
  for (const button of [app.get('export-task'), app.page.getByRole('button', { name: /^Delete / })]) {
    await button.scrollIntoViewIfNeeded();
    const box = await button.boundingBox();
    expect((box?.x ?? Number.NaN) + (box?.width ?? 0)).toBeLessThan(390);
  }
  expect(await app.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test('RES-04: a damaged task does not keep the app from starting, nor other tasks from showing', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(2));
  const app = await openApp({ grant: folder });
  const damaged = await app.startTask({ folder, endpoint: modelServer.url });
  await damaged.waitForStatus('completed');
  const sound = await app.startTask({ folder, endpoint: modelServer.url, instructions: 'In one sentence.' });
  await sound.waitForStatus('completed');
  await app.page.evaluate(damageTask, damaged.id);
  await app.open('/');
  await expect(app.page.locator(`[data-testid="task-row"][data-task-id="${sound.id}"]`)).toHaveAttribute(
    'data-status',
    'completed',
  );
  const card = app.page.locator(`[data-testid="task-row"][data-task-id="${damaged.id}"]`);
  await expect(card).toHaveAttribute('data-reason', 'row_unreadable');
  const arriving = app.page.waitForEvent('download');
  await card.getByTestId('export-damaged').click();
  const lines = (await readText(await arriving))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  expect(lines[0]).toMatchObject({ talaria: 'task', v: 1, id: damaged.id });
  expect(lines.at(-1)).toEqual({ end: true, lines: lines.length - 2 });
  const rowsOf = (table: string) => lines.filter((line) => line.table === table).map(({ row }) => row);
  expect(rowsOf('tasks')).toMatchObject([{ status: 'RUNNING!' }]);
  expect(rowsOf('steps').filter(({ type, status }) => type === 'file' && status === 'done')).toHaveLength(2);
  expect(rowsOf('results').length).toBeGreaterThanOrEqual(2);
  expect(lines.some(({ journal }) => journal !== undefined)).toBe(true);
  await app.open(`/task?id=${damaged.id}`);
  await expect(app.page.getByText('row_unreadable')).toBeVisible();
  const opened = await app.openTask(sound.id);
  await opened.expectCounts({ done: 2 });
});

interface Line {
  readonly table?: string;
  readonly row: Readonly<Record<string, unknown>>;
  readonly journal?: string;
}

async function readText(download: Download): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of (await download.createReadStream()) as AsyncIterable<Uint8Array>) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

function damageTask(id: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('talaria');
    opening.onsuccess = () => {
      const transaction = opening.result.transaction('tasks', 'readwrite');
      transaction.objectStore('tasks').put({ id, v: 1, status: 'RUNNING!', counts: null, options: { 0: null } });
      transaction.oncomplete = () => {
        opening.result.close();
        resolve();
      };
      transaction.onerror = () => reject(new Error(String(transaction.error)));
    };
  });
}
