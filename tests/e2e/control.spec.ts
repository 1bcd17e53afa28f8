import { askedByFile, fileAsked } from '../support/asked.mjs';
import { gateAfter, stallAfter } from '../support/barriers.mjs';
import { expect, test } from '../support/fixtures';
import { distinctFiles } from '../support/folder.mjs';
import { recordedAnswer } from '../support/model-server.mjs';
import type { TaskPage } from '../support/task-page';

async function pauseWithinTwoSeconds(task: TaskPage): Promise<void> {
  const pressed = performance.now();
  await task.press('pause');
  await task.waitForStatus('paused', { reason: 'user', timeoutMs: 2_000 });
  expect(performance.now() - pressed).toBeLessThan(2_000);
}

test('RES-15: a pause during a long request takes at once, and its file stays pending', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(3));
  modelServer.script(() => ({ type: 'stall', after: 'request' }));
  const app = await openApp({ grant: folder });
  const task = await app.startTask({ folder, endpoint: modelServer.url, concurrency: 1 });
  await modelServer.waitFor((server) => server.inFlight === 1);
  await pauseWithinTwoSeconds(task);
  await modelServer.waitFor((server) => server.inFlight === 0);
  await task.expectFile('note-0000.txt', { status: 'pending' });
  await task.expectCounts({ done: 0, failed: 0, skipped: 0 });
  modelServer.script(null);
  await task.press('continue');
  await task.waitForStatus('completed');
  await task.expectCounts({ done: 3 });
});

test('SSE-31: a pause in mid stream keeps no half answer', async ({ openApp, modelServer, makeFolder }) => {
  const folder = makeFolder(distinctFiles(2));
  stallAfter(modelServer, 0);
  const app = await openApp({ grant: folder });
  const task = await app.startTask({ folder, endpoint: modelServer.url, concurrency: 2 });
  await modelServer.waitFor((server) => server.inFlight === 2);
  await pauseWithinTwoSeconds(task);
  await task.expectCounts({ done: 0, failed: 0 });
  await app.page.reload();
  await task.waitForStatus('paused', { reason: 'user' });
  await task.expectFile('note-0001.txt', { status: 'pending' });
  modelServer.script(null);
  await task.press('continue');
  await task.waitForStatus('completed');
  expect([...askedByFile(modelServer).values()]).toEqual([2, 2]);
});

test('RES-15: a pause during a backoff takes at once', async ({ openApp, modelServer, makeFolder }) => {
  const folder = makeFolder(distinctFiles(2));
  modelServer.script(() => ({ type: 'json', status: 500, body: { error: { message: 'worker crashed' } } }));
  const app = await openApp({ grant: folder });
  const task = await app.startTask({ folder, endpoint: modelServer.url, concurrency: 1 });
  await modelServer.waitFor((server) => server.requests.some((request) => request.finished) && server.inFlight === 0);
  await pauseWithinTwoSeconds(task);
  modelServer.script(null);
  await task.press('continue');
  await task.waitForStatus('completed');
  await task.expectCounts({ done: 2, failed: 0 });
});

test('SSE-24: a pause during a Retry-After of half a minute takes at once', async ({
  openApp,
  startServer,
  makeFolder,
}) => {
  const server = await startServer({ exposeHeaders: 'retry-after' });
  const folder = makeFolder(distinctFiles(2));
  const refusal = recordedAnswer('tests/cases/http/sse24-429-retry-after-seconds.json');
  server.script(() => ({ ...refusal, headers: { ...refusal.headers, 'retry-after': '30' } }));
  const app = await openApp({ grant: folder });
  const task = await app.startTask({ folder, endpoint: server.url, concurrency: 1 });
  await server.waitFor((one) => one.requests.some((request) => request.finished) && one.inFlight === 0);
  await task.waitForStatus('running');
  await pauseWithinTwoSeconds(task);
});

test('a cancelled task asks nothing more, also after a restart', async ({ openApp, modelServer, makeFolder }) => {
  const folder = makeFolder(distinctFiles(6));
  stallAfter(modelServer, 2);
  const app = await openApp({ grant: folder });
  const task = await app.startTask({ folder, endpoint: modelServer.url, concurrency: 2 });
  await modelServer.waitFor((server) => server.requests.length === 4 && server.inFlight === 2);
  await task.press('cancel');
  const confirm = app.page.getByRole('alertdialog').getByRole('button').last();
  await expect(task.state.and(app.page.locator('[data-status="cancelled"]')).or(confirm)).toBeVisible();
  if (await confirm.isVisible()) await confirm.click();
  await task.waitForStatus('cancelled');
  await modelServer.waitFor((server) => server.inFlight === 0);
  await app.close();
  modelServer.script(null);
  const reopened = await (await openApp()).openTask(task.id);
  await reopened.waitForStatus('cancelled');
  await reopened.expectCounts({ done: 2 });
  expect(modelServer.requests).toHaveLength(4);
});

test('ASK-01: retrying what failed asks for those files only', async ({ openApp, modelServer, makeFolder }) => {
  const folder = makeFolder(distinctFiles(20));
  const bad = ['note-0003.txt', 'note-0008.txt', 'note-0013.txt', 'note-0019.txt'];
  modelServer.script((request) =>
    bad.includes(fileAsked(request.content) ?? '')
      ? {
          type: 'json',
          status: 400,
          body: { error: { message: 'The prompt was refused.', type: 'invalid_request_error' } },
        }
      : null,
  );
  const app = await openApp({ grant: folder });
  const task = await app.startTask({ folder, endpoint: modelServer.url });
  await task.waitForStatus('completed');
  await task.expectCounts({ done: 16, failed: 4 });
  await task.expectFile('note-0008.txt', { status: 'failed', code: 'request_rejected' });
  const report = await task.report();
  for (const path of bad) await expect(report).toContainText(path);

  modelServer.script(null);
  modelServer.forget();
  await task.press('retry-failed');
  await task.expectCounts({ done: 20, failed: 0 });
  await task.waitForStatus('completed');
  expect([...askedByFile(modelServer)].sort()).toEqual(bad.map((path) => [path, 1]));
});

test('RES-08: a file that failed is tried again on request, and never cached as an error', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(3));
  modelServer.script((request) =>
    fileAsked(request.content) === 'note-0001.txt'
      ? { type: 'json', status: 500, body: { error: { message: 'worker crashed', type: 'server_error' } } }
      : null,
  );
  const app = await openApp({ grant: folder });
  const task = await app.startTask({ folder, endpoint: modelServer.url });
  await task.waitForStatus('completed', { timeoutMs: 60_000 });
  await task.expectCounts({ done: 2, failed: 1 });
  expect(askedByFile(modelServer).get('note-0001.txt')).toBeGreaterThan(1);
  await app.close();
  modelServer.script(null);
  modelServer.forget();
  const reopened = await (await openApp()).openTask(task.id);
  await reopened.press('retry-failed');
  await reopened.expectCounts({ done: 3, failed: 0 });
  await reopened.waitForStatus('completed');
  expect([...askedByFile(modelServer)]).toEqual([['note-0001.txt', 1]]);
  const report = await reopened.report();
  for (const path of Object.keys(distinctFiles(3))) await expect(report).toContainText(path);
});

test('RES-02: a skipped file costs nothing, however often the task is continued', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder({
    ...distinctFiles(3),
    // With a mark in it: a question about the picture would be counted.
    'a-picture.txt': Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 0]),
      Buffer.from('File <a-picture.txt>'),
    ]),
  });
  const app = await openApp({ grant: folder });
  let gate = gateAfter(modelServer, 1);
  const task = await app.startTask({ folder, endpoint: modelServer.url, concurrency: 1 });
  for (const resumed of [1, 2]) {
    await task.waitForSettled(resumed + 1);
    await modelServer.waitFor((server) => server.inFlight === 1);
    await pauseWithinTwoSeconds(task);
    gate = gateAfter(modelServer, 1);
    await task.press('continue');
  }
  gate.open();
  await task.waitForStatus('completed');
  await task.expectCounts({ done: 3, skipped: 1, failed: 0 });
  await task.expectFile('a-picture.txt', { status: 'skipped', code: 'file_binary' });
  expect([...askedByFile(modelServer).keys()].sort()).toEqual(Object.keys(distinctFiles(3)));
});
