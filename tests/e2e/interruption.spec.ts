import type { Page } from '@playwright/test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { answeredByFile, askedByFile, fileAsked, repeatedFiles } from '../support/asked.mjs';
import { stallAfter } from '../support/barriers.mjs';
import { expect, test } from '../support/fixtures';
import { addFiles, distinctFiles, outputsIn } from '../support/folder.mjs';
import { seededRandom } from '../support/seeded-random.mjs';
import { TaskPage } from '../support/task-page';

test('a tab closed in mid run goes on where it was when the app is opened again', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(12));
  const app = await openApp({ grant: folder });
  stallAfter(modelServer, 5);
  const task = await app.startTask({ folder, endpoint: modelServer.url, concurrency: 3 });
  await modelServer.waitFor((server) => server.inFlight === 3 && server.requests.length === 8);
  await task.waitForSettled(5);

  await app.page.context().newPage();
  await app.page.close();
  await modelServer.waitFor((server) => server.inFlight === 0);
  modelServer.script(null);

  const again = await app.newTab('/');
  await expect(again.get('task-row')).toHaveAttribute('data-task-id', task.id);
  const reopened = await again.openTask(task.id);
  await reopened.waitForStatus('completed');
  await reopened.expectCounts({ done: 12, failed: 0 });
  expect(repeatedFiles(modelServer)).toEqual([]);
  expect(answeredByFile(modelServer).size).toBe(12);
  expect([...askedByFile(modelServer).values()].filter((times) => times === 2)).toHaveLength(3);
});

test('a killed browser starts again without asking for a finished file', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(12));
  const app = await openApp({ grant: folder });
  stallAfter(modelServer, 5);
  const task = await app.startTask({ folder, endpoint: modelServer.url, concurrency: 3 });
  await modelServer.waitFor((server) => server.inFlight === 3 && server.requests.length === 8);
  await task.waitForSettled(5);
  const epoch = await task.epoch();
  await app.kill();
  await modelServer.waitFor((server) => server.inFlight === 0);
  modelServer.script(null);

  const reopened = await (await openApp()).openTask(task.id);
  await reopened.waitForStatus('completed');
  expect(await reopened.epoch()).toBeGreaterThan(epoch);
  await expect(reopened.app.get('recovery')).toHaveAttribute('data-repeated', '0');
  await reopened.expectCounts({ done: 12, failed: 0 });
  expect(repeatedFiles(modelServer)).toEqual([]);
  expect([...askedByFile(modelServer).values()].filter((times) => times === 2)).toHaveLength(3);
  await expect.poll(() => outputsIn(folder)[0]?.results.length).toBe(12);
});

test('a browser killed while the output is written writes it at the next start', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const files = 400;
  const folder = makeFolder(distinctFiles(files));
  const app = await openApp({ grant: folder });
  const task = await app.startTask({ folder, endpoint: modelServer.url, concurrency: 8 });
  await task.waitForStatus('completed', { timeoutMs: 60_000 });
  await app.kill();
  expect(outputsIn(folder)[0]?.csv ?? '', 'killed too late: all was written').toBe('');
  modelServer.forget();

  await openApp();
  await expect.poll(() => outputsIn(folder)[0]?.csv.split('\r\n').length, { timeout: 30_000 }).toBeGreaterThan(files);
  // A killed browser leaves the file it was writing under a name of its own.
  const written = outputsIn(folder)[0]?.results.filter((path) => path.endsWith('.md'));
  expect(written).toHaveLength(files);
  expect(modelServer.requests).toEqual([]);
});

test('a browser that lost its database after a crash brings the tasks back by itself', async ({
  openApp,
  modelServer,
  makeFolder,
  profile,
}) => {
  const folder = makeFolder(distinctFiles(8));
  const app = await openApp({ grant: folder });
  const task = await app.startTask({ folder, endpoint: modelServer.url });
  await task.waitForStatus('completed');
  await expect(app.get('output')).toHaveAttribute('data-output', 'written');
  await app.kill();
  rmSync(join(profile, 'Default', 'IndexedDB'), { recursive: true });
  modelServer.forget();

  const again = await openApp();
  await expect(again.get('task-row')).toHaveAttribute('data-task-id', task.id);
  const rebuilt = await again.openTask(task.id);
  await rebuilt.expectCounts({ done: 8, failed: 0 });
  await expect(again.get('rebuilt')).toContainText('Nothing that was finished is lost');
  await expect(await rebuilt.report()).toContainText('note-0000.txt');
  expect(modelServer.requests).toEqual([]);
});

test('ASK-02: picking the folder of an interrupted task offers to continue it', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder({ ...distinctFiles(9), 'empty.txt': '' });
  const app = await openApp({ grant: folder });
  let asked = 0;
  modelServer.script(({ content }) => {
    if (fileAsked(content) === 'note-0001.txt')
      return { type: 'json', status: 400, body: { error: { message: 'no', type: 'invalid_request_error' } } };
    return asked++ < 4 ? null : { type: 'stall', after: 'tokens', tokens: 3 };
  });
  const wish = { folder, endpoint: modelServer.url, concurrency: 1 };
  const task = await app.startTask(wish);
  await task.expectCounts({ done: 4, failed: 1, skipped: 1 });
  await modelServer.waitFor((server) => server.inFlight === 1);
  await task.press('pause');
  await task.waitForStatus('paused', { reason: 'user' });
  await app.kill();
  modelServer.script(null);
  modelServer.forget();
  addFiles(folder, {
    'added.txt': 'File <added.txt>\nIt came later.',
    'note-0000.txt': 'File <note-0000.txt>\nNew words.',
  });
  rmSync(join(folder, 'note-0008.txt'));

  const again = await openApp({ path: '/new' });
  await again.chooseFolder(folder);
  const earlier = again.get('earlier-task');
  await expect(earlier).toContainText('4 of 10 files done');
  for (const counted of ['1 failed', '1 skipped', '4 to go', '1 new', '1 changed', '1 gone'])
    await expect(earlier).toContainText(counted);
  await again.get('earlier-continue').click();
  await again.page.waitForURL((url) => url.searchParams.get('id') === task.id);
  const continued = new TaskPage(again, task.id);
  await continued.waitForStatus('completed');
  await continued.expectCounts({ done: 8, failed: 1, skipped: 2 });
  expect([...askedByFile(modelServer).keys()].sort()).toEqual([
    'added.txt',
    ...['0000', '0005', '0006', '0007'].map((number) => `note-${number}.txt`),
  ]);
});

test('ten kills at random moments cost no finished file', async ({ openApp, startServer, makeFolder }, info) => {
  test.setTimeout(600_000);
  const seed = Number(process.env.TALARIA_SEED ?? Date.now() % 100_000);
  info.annotations.push({ type: 'seed', description: String(seed) });
  const random = seededRandom(seed);
  const server = await startServer({ delayMs: 60, betweenMs: 10 });
  const files = 70;
  const concurrency = 3;
  const folder = makeFolder(distinctFiles(files));
  const first = await openApp({ grant: folder });
  const { id } = await first.startTask({ folder, endpoint: server.url, concurrency });
  const askedAtKill: Map<string, number>[] = [];
  const shownDone = new Set<string>();
  let app = first;
  let settled = 0;
  for (let kill = 0; kill < 10; kill += 1) {
    const task = await app.openTask(id);
    await task.openTab('files');
    await expect.poll(() => task.settled(), `seed ${seed}`).toBeGreaterThanOrEqual(settled);
    // Between one answer and the next, or in the middle of them: whatever the server is doing at that count.
    const until = server.requests.length + 1 + Math.floor(random() * 6);
    await server.waitFor(() => server.requests.length >= until || answeredByFile(server).size >= files);
    for (const path of await doneRowsShown(app.page)) shownDone.add(path);
    settled = Math.max(settled, await task.settled());
    await app.kill();
    await server.waitFor(() => server.inFlight === 0);
    askedAtKill.push(new Map([...askedByFile(server)].filter(([path]) => shownDone.has(path))));
    app = await openApp();
  }
  const task = await app.openTask(id);
  await task.waitForStatus('completed', { timeoutMs: 60_000 });
  await task.expectCounts({ done: files, failed: 0, skipped: 0 });
  await expect.poll(() => outputsIn(folder)[0]?.results.length).toBe(files);
  const asked = askedByFile(server);
  for (const atKill of askedAtKill)
    for (const [path, times] of atKill) expect(asked.get(path), `${path}, seed ${seed}`).toBe(times);
  const total = [...asked.values()].reduce((sum, times) => sum + times, 0);
  // Opening the task by its address ends the page that started it: one interruption more than there are kills.
  const interruptions = 11;
  expect(total).toBeLessThanOrEqual(files + interruptions * concurrency);
});

function doneRowsShown(page: Page): Promise<string[]> {
  return page
    .locator('[data-testid="file-row"][data-status="done"]')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-path') ?? ''));
}
