import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { askedByFile, fileAsked } from '../support/asked.mjs';
import { expect, test } from '../support/fixtures';
import { distinctFiles, outputsIn } from '../support/folder.mjs';
import { recordedAnswer, recordedTranscript } from '../support/model-server.mjs';
import type { Behaviour, ServedRequest } from '../support/model-server-types';
import { storedText } from '../support/stored-text';

const sse = (name: string) => recordedTranscript(`tests/cases/sse/${name}.sse`);
const textOf = (name: string) =>
  (JSON.parse(readFileSync(`tests/cases/sse/${name}.expected.json`, 'utf8')) as { text: string }).text;

/** Recorded answers, each to the file of that name. */
function answeringFiles(answers: Record<string, Behaviour>) {
  return ({ content }: ServedRequest) => answers[fileAsked(content) ?? ''] ?? null;
}

test('SSE-05, SSE-12, SSE-15: what ends in its own way is kept for what it is', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const names = ['cut.txt', 'open.txt', 'plain.txt', 'thinking.txt'];
  const folder = makeFolder(distinctFiles(names.length, (index) => names[index] ?? ''));
  const app = await openApp({ grant: folder });
  modelServer.script(
    answeringFiles({
      'cut.txt': sse('sse12-finish-length'),
      'open.txt': sse('sse05-finish-then-open-socket'),
      'thinking.txt': sse('sse15-think-block'),
    }),
  );
  const task = await app.startTask({ folder, endpoint: modelServer.url });
  const isOpen = ({ content }: ServedRequest) => fileAsked(content) === 'open.txt';
  await modelServer.waitFor(({ requests }) => requests.some((request) => isOpen(request) && request.aborted), 20_000);
  expect(Date.now() - (modelServer.requests.find(isOpen)?.at ?? 0)).toBeLessThan(5_000);
  await task.waitForStatus('completed');
  await task.expectCounts({ done: 4, failed: 0 });
  expect([...askedByFile(modelServer).values()]).toEqual([1, 1, 1, 1]);

  await task.openTab('files');
  await expect(task.row('cut.txt')).toContainText('ends early');
  await expect(task.row('plain.txt')).not.toContainText('ends early');
  await expect(await task.fileDetail('cut.txt')).toContainText('ends early');
  await expect(app.get('file-detail')).toContainText('预算从 12 万降到');
  await expect(await task.fileDetail('open.txt')).toContainText(textOf('sse05-finish-then-open-socket'));
  await expect(await task.fileDetail('thinking.txt')).toContainText(textOf('sse15-think-block'));
  const report = await task.report();
  await expect(report.getByRole('row').filter({ hasText: 'cut.txt' })).toContainText('cut at the output limit');
  const stored = await storedText(app.page);
  expect(stored).toContain(textOf('sse15-think-block'));
  expect(stored).not.toContain('think>');
  // What was thought is shown folded beside the answer, and is nowhere in what is written for the person.
  const [output] = outputsIn(folder);
  const written = (output?.results ?? []).map((path) => readFileSync(join(output?.dir ?? '', 'results', path), 'utf8'));
  expect(written).toHaveLength(4);
  expect([...written, output?.report, output?.csv].join('\n')).not.toContain('数一数');
});

test('SSE-10, SSE-13, SSE-23: what is no answer is tried again, then failed with its reason, and never kept', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const bad = ['busy.txt', 'empty.txt', 'gateway.txt'];
  const folder = makeFolder(distinctFiles(4, (index) => bad[index] ?? 'good.txt'));
  const app = await openApp({ grant: folder });
  modelServer.script(
    answeringFiles({
      'busy.txt': sse('sse10-error-in-200-stream'),
      'empty.txt': sse('sse13-null-content'),
      'gateway.txt': recordedAnswer('tests/cases/http/sse23-502-html.json'),
    }),
  );
  const task = await app.startTask({ folder, endpoint: modelServer.url });
  await task.waitForStatus('completed', { timeoutMs: 60_000 });
  await task.expectCounts({ done: 1, failed: 3 });
  expect(Object.fromEntries(askedByFile(modelServer))).toEqual({
    'busy.txt': 5,
    'empty.txt': 5,
    'gateway.txt': 5,
    'good.txt': 1,
  });
  await task.expectFile('busy.txt', { status: 'failed', code: 'server_busy' });
  await task.expectFile('empty.txt', { status: 'failed', code: 'empty_response' });
  await task.expectFile('gateway.txt', { status: 'failed', code: 'server_fault' });
  await expect(await task.fileDetail('busy.txt')).toContainText('engine queue full, request rejected');
  const gateway = await task.fileDetail('gateway.txt');
  await expect(gateway).toContainText('502 Bad Gateway');
  await expect(gateway).not.toContainText('<h1>');
  const report = await task.report();
  for (const path of bad) await expect(report).toContainText(path);
  expect(await storedText(app.page)).not.toMatch(/开始处理|处理完成/);
  await expect.poll(() => outputsIn(folder)[0]?.results).toEqual(['good.txt.md']);
});

test('SSE-23: a sign-in page pauses the task once, and no file fails', async ({ openApp, modelServer, makeFolder }) => {
  const folder = makeFolder(distinctFiles(8));
  const app = await openApp({ grant: folder });
  modelServer.script(() => ({ type: 'html' }));
  modelServer.scriptOthers(() => ({ type: 'html' }));
  const task = await app.startTask({ folder, endpoint: modelServer.url, concurrency: 2 });
  await task.waitForStatus('paused', { reason: 'endpoint' });
  await expect(app.page.locator('[data-code="login_page"]').first()).toBeVisible();
  await modelServer.waitFor((server) => server.inFlight === 0);
  expect(modelServer.requests.length).toBeLessThanOrEqual(2);
  await task.expectCounts({ done: 0, failed: 0 });
  modelServer.script(null);
  modelServer.scriptOthers(null);
  await task.press('continue');
  await task.waitForStatus('completed');
  await task.expectCounts({ done: 8, failed: 0 });
});

test('SSE-24: a Retry-After that is a date is kept to, with the time left on screen', async ({
  openApp,
  startServer,
  makeFolder,
}) => {
  const server = await startServer({ exposeHeaders: 'retry-after' });
  const folder = makeFolder(distinctFiles(3));
  const refusal = recordedAnswer('tests/cases/http/sse24-429-retry-after-date.json');
  let untilMs = 0;
  server.script(() => {
    if (untilMs > 0) return null;
    const date = new Date(Date.now() + 5_000).toUTCString();
    untilMs = Date.parse(date);
    return { ...refusal, headers: { ...refusal.headers, 'retry-after': date } };
  });
  const app = await openApp({ grant: folder });
  const task = await app.startTask({ folder, endpoint: server.url, concurrency: 1 });
  await expect(app.get('hold')).toHaveAttribute('data-code', 'rate_limited');
  await expect(app.get('hold')).toContainText(/Goes on in \d/);
  await task.waitForStatus('completed');
  await task.expectCounts({ done: 3, failed: 0 });
  const lateMs = (server.requests[1]?.at ?? 0) - untilMs;
  expect(lateMs).toBeGreaterThan(-1_000);
  expect(lateMs).toBeLessThan(1_500);
});
