import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { askedByFile, fileAsked, repeatedFiles } from '../support/asked.mjs';
import { gateAfter, stallAfter } from '../support/barriers.mjs';
import { expect, test } from '../support/fixtures';
import { distinctFiles } from '../support/folder.mjs';
import { recordedAnswer, recordedTranscript } from '../support/model-server.mjs';
import { storedRows } from '../support/stored-rows';
import { storedText } from '../support/stored-text';
import { TaskPage } from '../support/task-page';

/** Until the one endpoint that is out of reach is looked at next. */
async function nextLookMs(page: Page): Promise<number> {
  const [row] = await storedRows<{ nextLookMs: number }>(page, 'breakers');
  return (row?.nextLookMs ?? 0) - Date.now();
}

test('SSE-26: a connection reset in mid stream is retried and no half text is kept', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(4));
  let cut = false;
  modelServer.script((request) => {
    if (cut || fileAsked(request.content) !== 'note-0001.txt') return null;
    cut = true;
    return recordedTranscript('tests/cases/sse/sse25-reset-mid-stream.sse');
  });
  const app = await openApp({ grant: folder });
  const task = await app.startTask({ folder, endpoint: modelServer.url });
  await task.waitForStatus('completed');
  await task.expectCounts({ done: 4, failed: 0 });
  expect(askedByFile(modelServer).get('note-0001.txt')).toBe(2);
  const detail = await task.fileDetail('note-0001.txt');
  await expect(detail).toContainText('About «note-0001.txt»');
  await expect(detail).not.toContainText('正在整理');
});

test('an endpoint that is down for a while parks the task, which then goes on by itself', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(10));
  const app = await openApp({ grant: folder });
  gateAfter(modelServer, 4);
  const task = await app.startTask({ folder, endpoint: modelServer.url, concurrency: 2 });
  await modelServer.waitFor((server) => server.inFlight === 2 && server.requests.length === 6);
  await task.waitForSettled(4);
  await modelServer.stop();
  await task.waitForStatus('paused', { reason: 'endpoint' });
  await task.expectCounts({ done: 4, failed: 0 });
  modelServer.script(null);
  await modelServer.restart();
  await task.waitForStatus('completed', { timeoutMs: 60_000 });
  await task.expectCounts({ done: 10, failed: 0 });
  expect(repeatedFiles(modelServer)).toEqual([]);
});

test('an address that is put right is asked at once, however far off the next look was', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(3));
  const app = await openApp({ grant: folder });
  const task = await app.startTask({ folder, endpoint: 'http://127.0.0.1:9/v1' });
  await task.waitForStatus('paused', { reason: 'endpoint' });
  const tab = await app.newTab();
  await tab.open('/endpoints');
  await tab.page.getByRole('button', { name: 'Edit' }).click();
  await tab.get('endpoint-url').fill(modelServer.url);
  // So far apart that only the change can be what is noticed.
  await expect.poll(() => nextLookMs(tab.page), { timeout: 30_000 }).toBeGreaterThan(12_000);
  await tab.get('endpoint-save').click();
  await task.waitForStatus('completed', { timeoutMs: 10_000 });
  await task.expectCounts({ done: 3, failed: 0 });
});

test('a key for this session that is typed in one tab is used by the tab that works', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(4));
  stallAfter(modelServer, 2);
  const app = await openApp({ grant: folder });
  await app.newTask({ folder, endpoint: modelServer.url, key: 'sk-session', concurrency: 1 });
  await app.page.getByText('Only until Talaria is closed').click();
  const { id } = await app.start();
  await new TaskPage(app, id).expectCounts({ done: 2 });
  await app.close();
  modelServer.script(null);

  const again = await openApp();
  const task = await again.openTask(id);
  await task.waitForStatus('paused', { reason: 'endpoint' });
  await expect(again.page.locator('.note[data-code="key_unavailable"]')).toBeVisible();
  const tab = await again.newTab('/endpoints');
  await tab.page.getByRole('button', { name: 'Edit' }).click();
  await tab.get('endpoint-key').fill('sk-session');
  await tab.get('endpoint-save').click();
  await task.waitForStatus('completed');
  await task.expectCounts({ done: 4, failed: 0 });
  expect(repeatedFiles(modelServer)).toEqual([]);
});

test('a server that is not there yet does not refuse the start', async ({ openApp, modelServer, makeFolder }) => {
  const folder = makeFolder(distinctFiles(3));
  const app = await openApp({ grant: folder });
  await modelServer.stop();
  const task = await app.startTask({ folder, endpoint: modelServer.url });
  await task.waitForStatus('paused', { reason: 'endpoint' });
  await modelServer.restart();
  await task.waitForStatus('completed', { timeoutMs: 60_000 });
  await task.expectCounts({ done: 3, failed: 0 });
});

test('SSE-20: a model that is still loading is waited for, and no file fails', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(4));
  const loading = recordedAnswer('tests/cases/http/sse20-503-loading-new.json');
  modelServer.script(() => loading);
  modelServer.scriptOthers(() => loading);
  const app = await openApp({ grant: folder });
  const task = await app.startTask({ folder, endpoint: modelServer.url });
  await task.waitForStatus('paused', { reason: 'endpoint' });
  await expect(app.page.getByText(/loading/i).first()).toBeVisible();
  const before = modelServer.requests.length + modelServer.otherRequests.length;
  await modelServer.waitFor((server) => server.requests.length + server.otherRequests.length >= before + 2, 60_000);
  await task.expectCounts({ done: 0, failed: 0 });
  modelServer.script(null);
  modelServer.scriptOthers(null);
  await task.waitForStatus('completed', { timeoutMs: 60_000 });
  await task.expectCounts({ done: 4, failed: 0 });
});

test('SSE-24: Retry-After is kept to, and nobody else asks in the meantime', async ({
  openApp,
  startServer,
  makeFolder,
}) => {
  const server = await startServer({ exposeHeaders: 'retry-after' });
  const folder = makeFolder(distinctFiles(3));
  let refusedAt = 0;
  server.script((request) => {
    if (refusedAt > 0) return null;
    refusedAt = request.at;
    return recordedAnswer('tests/cases/http/sse24-429-retry-after-seconds.json');
  });
  const app = await openApp({ grant: folder });
  const task = await app.startTask({ folder, endpoint: server.url, concurrency: 1 });
  await task.waitForStatus('completed');
  await task.expectCounts({ done: 3, failed: 0 });
  const waitedMs = (server.requests[1]?.at ?? 0) - refusedAt;
  expect(waitedMs).toBeGreaterThanOrEqual(1_950);
  expect(waitedMs).toBeLessThan(4_500);
});

test('refusals without CORS headers, as of a proxy, are waited for like those that say to', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(1));
  const app = await openApp({ grant: folder });
  modelServer.script(() =>
    modelServer.requests.length > 3 ? null : { type: 'json', status: 429, body: { error: 'slow down' }, cors: false },
  );
  const task = await app.startTask({ folder, endpoint: modelServer.url });
  await task.waitForStatus('paused', { reason: 'endpoint' });
  await expect(app.page.locator('[data-code="cors_blocked"]').first()).toBeVisible();
  await task.waitForStatus('completed', { timeoutMs: 45_000 });
  await task.expectCounts({ done: 1, failed: 0 });
});

test('SSE-27: a server that allows only the two usual headers works', async ({ openApp, startServer, makeFolder }) => {
  const server = await startServer({ cors: 'headers-too-few' });
  const folder = makeFolder(distinctFiles(3));
  const app = await openApp({ grant: folder });
  const task = await app.startTask({ folder, endpoint: server.url });
  await task.waitForStatus('completed');
  await task.expectCounts({ done: 3, failed: 0 });
  expect(server.preflights).toBeGreaterThan(0);
});

test('a typed address without /v1 finds its way', async ({ openApp, modelServer, makeFolder }) => {
  const folder = makeFolder(distinctFiles(2));
  const app = await openApp({ grant: folder });
  const task = await app.startTask({ folder, endpoint: modelServer.origin });
  await task.waitForStatus('completed');
  expect(new Set(modelServer.requests.map(({ path }) => path))).toEqual(new Set(['/v1/chat/completions']));
});

test.describe('SSE-29: an address typed with localhost', () => {
  for (const host of ['127.0.0.1', '::1']) {
    test(`reaches a server that listens on ${host} only`, async ({ openApp, startServer, makeFolder }) => {
      const server = await startServer({ host });
      const folder = makeFolder(distinctFiles(2));
      const app = await openApp({ grant: folder });
      const task = await app.startTask({ folder, endpoint: `http://localhost:${server.port}/v1` });
      await task.waitForStatus('completed');
      await task.expectCounts({ done: 2, failed: 0 });
    });
  }

  test('that nobody answers leads to 127.0.0.1, which is also what the form suggests', async ({
    openApp,
    modelServer,
    makeFolder,
  }) => {
    const folder = makeFolder(distinctFiles(2));
    const app = await openApp({ grant: folder, path: '/new' });
    await app.get('endpoint-select').selectOption('new');
    await expect(app.get('endpoint-url')).toHaveAttribute('placeholder', /127\.0\.0\.1/);
    await modelServer.stop();
    const task = await app.startTask({ folder, endpoint: `http://localhost:${modelServer.port}/v1` });
    await task.waitForStatus('paused', { reason: 'endpoint' });
    await expect(app.page.locator('[data-code="endpoint_unreachable"]').first()).toContainText('127.0.0.1');
  });
});

test('what a profile sets reaches its server with every question, and its key is found nowhere else', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const key = 'sk-never-to-be-seen';
  const folder = makeFolder(distinctFiles(3));
  const app = await openApp({ grant: folder, path: '/endpoints' });
  await app.get('endpoint-add').click();
  await app.get('endpoint-url').fill(modelServer.url);
  await app.get('endpoint-key').fill(key);
  await app.get('more-settings').click();
  await app.get('setting-headers').fill('X-Title: Talaria at home');
  await app.get('setting-body').fill('{"top_k": 40, "chat_template_kwargs": {"enable_thinking": false}}');
  await app.get('setting-temperature').fill('0.7');
  await app.get('setting-seed').fill('7');
  await app.get('endpoint-save').click();
  await expect(app.get('endpoint-duplicate')).toBeVisible();
  await app.open('/new');
  await app.chooseFolder(folder);
  await app.get('endpoint-select').selectOption({ index: 0 });
  const task = await app.start();
  await task.waitForStatus('completed');
  expect(modelServer.requests.length).toBeGreaterThan(3);
  for (const { headers, body } of modelServer.requests) {
    expect(headers).toMatchObject({ 'x-title': 'Talaria at home', authorization: `Bearer ${key}` });
    expect(body).toMatchObject({ top_k: 40, chat_template_kwargs: { enable_thinking: false } });
    expect(body).toMatchObject({ temperature: 0.7, seed: 7, stream: true });
  }
  expect(app.requestedUrls.filter((url) => url.includes(key))).toEqual([]);
  expect(await storedText(app.page)).not.toContain(key);
  await app.open('/endpoints');
  await app.page.getByRole('button', { name: 'Edit' }).click();
  await expect(app.get('setting-headers')).toHaveValue('X-Title: Talaria at home');
  expect(await app.page.content()).not.toContain(key);
});

test('a task whose endpoint was deleted is given another where it says so', async ({
  openApp,
  modelServer,
  startServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(2));
  const app = await openApp({ grant: folder });
  const task = await app.startTask({ folder, endpoint: modelServer.url });
  await task.waitForStatus('completed');
  const asked = modelServer.requests.length;
  const other = await startServer({});
  await app.open('/endpoints');
  await app.page.getByRole('button', { name: 'Delete' }).click();
  await app.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(app.get('endpoint-duplicate')).toHaveCount(0);
  await app.get('endpoint-add').click();
  await app.get('endpoint-url').fill(other.url);
  await app.get('endpoint-save').click();
  await expect(app.get('endpoint-duplicate')).toBeVisible();
  writeFileSync(join(folder, 'note-9999.txt'), 'A text that came later.');
  await app.openTask(task.id);
  await app.page.getByRole('button', { name: 'Look for changes' }).click();
  await task.waitForStatus('paused', { reason: 'endpoint' });
  await app.get('other-endpoint').selectOption({ index: 1 });
  await app.get('other-endpoint-take').click();
  await task.waitForStatus('completed');
  await task.expectCounts({ done: 3, failed: 0 });
  expect(modelServer.requests).toHaveLength(asked);
  expect(askedByFile(other).get('note-0001.txt')).toBeUndefined();
});
