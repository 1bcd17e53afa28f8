import { askedByFile } from '../support/asked.mjs';
import { stallAfter } from '../support/barriers.mjs';
import { expect, test } from '../support/fixtures';
import { distinctFiles } from '../support/folder.mjs';
import type { AppPage } from '../support/app-page';
import { TaskPage } from '../support/task-page';

interface ForkWish {
  readonly name?: string;
  readonly instructions?: string;
}

/** Forks from the checkpoint that the list shows first, and waits on the new task's screen. */
async function forkNewest(task: TaskPage, wish: ForkWish = {}): Promise<TaskPage> {
  const { app } = task;
  await app.get('checkpoint-row').first().getByTestId('fork').click();
  if (wish.name !== undefined) await app.get('fork-name').fill(wish.name);
  if (wish.instructions !== undefined) await app.get('fork-instructions').fill(wish.instructions);
  await app.get('fork-start').click();
  await app.page.waitForURL((url) => url.pathname === '/task' && url.searchParams.get('id') !== task.id);
  return new TaskPage(app, new URL(app.page.url()).searchParams.get('id') ?? '');
}

/** All that the database holds of a task, as text. */
function storedOf(app: AppPage, id: string): Promise<string> {
  return app.page.evaluate(async (task) => {
    const settled = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error('no answer'));
      });
    const database = await settled(indexedDB.open('talaria'));
    const stored = await Promise.all(
      ['tasks', 'steps', 'checkpoints', 'activity'].map((table) =>
        settled(database.transaction(table).objectStore(table).getAll() as IDBRequest<unknown[]>),
      ),
    );
    database.close();
    const isOf = (row: unknown) => {
      const { id, taskId } = row as { id?: unknown; taskId?: unknown };
      return id === task || taskId === task;
    };
    return JSON.stringify(stored.map((rows) => rows.filter(isOf)));
  }, id);
}

test('a finished task is looked at as of then, and forked without asking anything again', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(6));
  const app = await openApp({ grant: folder });
  const parent = await app.startTask({ folder, endpoint: modelServer.url, concurrency: 2 });
  await parent.waitForStatus('completed');
  // The last that a task writes of itself.
  await parent.openTab('activity');
  await expect(app.get('activity').locator('[data-what="output_written"]')).toBeVisible();
  await parent.openTab('checkpoints');
  const rows = app.get('checkpoint-row');
  await expect(rows.first()).toContainText('Finished');
  await expect(rows.last()).toContainText('Began');

  await rows.last().getByRole('button').first().click();
  await expect(app.get('checkpoint-state')).toContainText('No step was there yet.');
  // It opens under its row, and closes at the next click.
  await expect(app.page.locator('li', { has: app.get('checkpoint-state') }).getByTestId('checkpoint-row')).toHaveCount(
    1,
  );
  await rows.first().getByRole('button').first().click();
  const steps = app.get('past-step');
  await expect(steps).toHaveCount(6 + 4);
  await expect(steps.first()).toHaveAttribute('data-status', 'done');
  await steps.first().getByRole('button').click();
  await expect(steps.first()).toContainText('note-0000');

  const before = await storedOf(app, parent.id);
  const asked = modelServer.requests.length;
  const child = await forkNewest(parent, { name: 'The same again' });
  await child.waitForStatus('completed');
  await child.expectCounts({ done: 6, failed: 0 });
  expect(modelServer.requests.length).toBe(asked);
  expect(await storedOf(app, parent.id)).toBe(before);
});

test('a fork with other instructions asks once about every file, and the first fork of them about none', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(5));
  const app = await openApp({ grant: folder });
  const parent = await app.startTask({ folder, endpoint: modelServer.url, instructions: 'Briefly.' });
  await parent.waitForStatus('completed');
  await parent.openTab('checkpoints');
  const child = await forkNewest(parent, { instructions: 'At length.' });
  await child.waitForStatus('completed');
  expect([...askedByFile(modelServer).values()]).toEqual([2, 2, 2, 2, 2]);
  const asked = modelServer.requests.length;
  await child.openTab('checkpoints');
  await expect(app.page.getByText('Begun as a fork of')).toBeVisible();
  const back = await forkNewest(child, { instructions: 'Briefly.' });
  await back.waitForStatus('completed');
  await back.expectCounts({ reused: 5 });
  expect(modelServer.requests.length).toBe(asked);
});

test('a task at work is forked from what it has, and both come to their end', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(6));
  stallAfter(modelServer, 3);
  const app = await openApp({ grant: folder });
  const parent = await app.startTask({ folder, endpoint: modelServer.url, concurrency: 1 });
  await parent.waitForSettled(3);
  await parent.press('pause');
  await parent.waitForStatus('paused');
  await parent.openTab('checkpoints');
  await expect(app.get('checkpoint-row').first()).toContainText('Paused');
  modelServer.script(null);
  const child = await forkNewest(parent);
  await child.waitForStatus('completed');
  await child.expectCounts({ done: 6 });
  await app.openTask(parent.id);
  await parent.press('continue');
  await parent.waitForStatus('completed');
  // The child has paid for the other three: the parent finds their answers.
  await parent.expectCounts({ done: 3, reused: 3 });
});

test('a fork has its results when its parent is deleted', async ({ openApp, modelServer, makeFolder }) => {
  const folder = makeFolder(distinctFiles(3));
  const app = await openApp({ grant: folder });
  const parent = await app.startTask({ folder, endpoint: modelServer.url });
  await parent.waitForStatus('completed');
  await parent.openTab('checkpoints');
  const child = await forkNewest(parent);
  await child.waitForStatus('completed');
  const report = await (await child.report()).innerText();
  await app.open('/storage');
  await app.page
    .locator(`tr[data-task-id="${parent.id}"]`)
    .getByRole('button', { name: /^Delete/ })
    .click();
  await app.get('confirm-delete').click();
  await expect(app.page.locator(`[data-task-id="${parent.id}"]`)).toHaveCount(0);
  expect(await (await child.report()).innerText()).toBe(report);
  await expect(await child.fileDetail('note-0001.txt')).toContainText('note-0001');
});
