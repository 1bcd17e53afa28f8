import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import Papa from 'papaparse';
import { fileAsked } from '../support/asked.mjs';
import { expect, test } from '../support/fixtures';
import { distinctFiles, listFiles, outputsIn } from '../support/folder.mjs';
import { storedText } from '../support/stored-text';

const KEY = 'sk-TEST-123456';

/** Elements of a page that would run or fetch something when it is opened. */
function activeParts(html: string): string[] {
  const parsed = new DOMParser().parseFromString(html, 'text/html');
  return [...parsed.querySelectorAll('*')]
    .filter(
      (element) =>
        element.matches('script, img, iframe, object, embed, link, form, video, audio, svg') ||
        [...element.attributes].some(
          ({ name, value }) => name.startsWith('on') || /^\s*(javascript|data):/i.test(value),
        ),
    )
    .map((element) => element.outerHTML);
}

test('SEC-01, SEC-02: what a model writes neither runs nor fetches', async ({ openApp, modelServer, makeFolder }) => {
  const hostile = ['sec01-beacon.md', 'sec02-xss.md'].map((name) => readFileSync(`tests/cases/report/${name}`, 'utf8'));
  modelServer.set({ answer: () => hostile.join('\n\n') });
  const folder = makeFolder(distinctFiles(2));
  const app = await openApp({ grant: folder });
  const task = await app.startTask({ folder, endpoint: modelServer.url });
  await task.waitForStatus('completed');
  const detail = await task.fileDetail('note-0001.txt');
  await expect(detail).toContainText('结论');
  const report = await task.report();
  await expect(report).toContainText('结论');
  const links = report.getByText('点我');
  for (let index = 0; index < (await links.count()); index += 1) await links.nth(index).click();
  expect(await app.page.evaluate(() => '__pwned' in window)).toBe(false);

  const html = (await task.download('html')).toString('utf8');
  expect(html).toContain('结论');
  const plain = await app.page.context().newPage();
  expect(await plain.evaluate(activeParts, html)).toEqual([]);
  const elsewhere = app.requestedUrls.filter(
    (url) => !url.startsWith(app.origin) && !url.startsWith(modelServer.origin) && !/^(blob|data):/.test(url),
  );
  expect(elsewhere).toEqual([]);
});

test('SEC-04: no cell of a CSV runs as a formula', async ({ openApp, modelServer, makeFolder }) => {
  const answers: Record<string, string> = {
    '=1+2.txt': '=1+2',
    '@SUM(1).txt': '@SUM(1)',
    'plus.txt': '+44 20',
    'tab.txt': '\t=cmd',
    'feed.txt': '\n=cmd',
    'minus.txt': '-5',
  };
  const folder = makeFolder(Object.fromEntries(Object.keys(answers).map((path) => [path, `File <${path}>\nWords.\n`])));
  modelServer.set({ answer: (content) => answers[fileAsked(content) ?? ''] ?? 'Merged.' });
  const app = await openApp({ grant: folder });
  const task = await app.startTask({ folder, endpoint: modelServer.url });
  await task.waitForStatus('completed');
  await expect.poll(() => outputsIn(folder)[0]?.csv ?? '').toContain('plus.txt');
  for (const csv of [outputsIn(folder)[0]?.csv ?? '', (await task.download('csv')).toString('utf8')]) {
    const rows = Papa.parse<string[]>(csv.replace(/^\uFEFF/, ''), { skipEmptyLines: true }).data;
    expect(rows.length).toBeGreaterThan(6);
    const cells = rows.flat();
    expect(cells.filter((cell) => /^[\s]*[=@+\uFF1D]/.test(cell) || /^[\t\r\n]/.test(cell))).toEqual([]);
    expect(cells).toContain('-5');
  }
});

test('SEC-09: a key goes into the Authorization header and nowhere else', async ({
  openApp,
  startServer,
  makeFolder,
  profile,
}) => {
  const server = await startServer({ key: KEY });
  const folder = makeFolder(distinctFiles(4));
  server.script((request) =>
    fileAsked(request.content) === 'note-0002.txt'
      ? { type: 'json', status: 400, body: { error: { message: `Refused: Bearer ${KEY} asked for too much` } } }
      : null,
  );
  const app = await openApp({ grant: folder });
  const lines: string[] = [];
  app.page.on('console', (message) => lines.push(message.text()));
  const task = await app.startTask({ folder, endpoint: server.url, key: KEY });
  await task.waitForStatus('completed');
  await task.expectCounts({ done: 3, failed: 1 });
  expect(server.requests.every(({ headers }) => headers.authorization === `Bearer ${KEY}`)).toBe(true);
  expect(JSON.stringify(server.requests.map(({ body, path }) => [body, path]))).not.toContain(KEY);
  expect(app.requestedUrls.filter((url) => url.includes(KEY))).toEqual([]);

  await expect(await task.fileDetail('note-0002.txt')).toBeVisible();
  await expect(app.page.locator('body')).not.toContainText(KEY);
  for (const item of ['csv', 'jsonl', 'md', 'html'] as const)
    expect((await task.download(item)).toString('utf8'), item).not.toContain(KEY);
  await expect.poll(() => outputsIn(folder)[0]?.csv ?? '').not.toBe('');
  for (const path of listFiles(folder)) expect(readFileSync(join(folder, path), 'utf8'), path).not.toContain(KEY);
  await app.open('/endpoints');
  await expect(app.page.locator('body')).not.toContainText(KEY);
  const stored = await storedText(app.page);
  expect(stored).toContain('note-0002.txt');
  expect(stored).not.toContain(KEY);
  expect(lines.filter((line) => line.includes(KEY))).toEqual([]);
  await app.close();
  expect(filesHolding(profile, KEY)).toEqual([]);
});

test('SEC-09: a redirect takes neither the question nor the key to another host', async ({
  openApp,
  startServer,
  makeFolder,
}) => {
  const [server, elsewhere] = [await startServer({ key: KEY }), await startServer()];
  server.script(() => ({
    type: 'json',
    status: 307,
    headers: { location: `${elsewhere.url}/chat/completions` },
    body: {},
  }));
  server.scriptOthers(() => ({
    type: 'json',
    status: 307,
    headers: { location: `${elsewhere.url}/models` },
    body: {},
  }));
  const folder = makeFolder(distinctFiles(3));
  const app = await openApp({ grant: folder });
  const task = await app.startTask({ folder, endpoint: server.url, key: KEY });
  await task.waitForStatus('paused', { reason: 'endpoint' });
  await expect(app.page.locator('[data-code="endpoint_redirected"]').first()).toBeVisible();
  await task.expectCounts({ done: 0, failed: 0 });
  expect(server.requests.length).toBeGreaterThan(0);
  expect([elsewhere.requests.length, elsewhere.otherRequests.length, elsewhere.preflights]).toEqual([0, 0, 0]);
});

/** Files below a profile that hold the text as bytes, in either width. */
function filesHolding(profile: string, text: string): string[] {
  const needles = [Buffer.from(text, 'latin1'), Buffer.from(text, 'utf16le')];
  return readdirSync(profile, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => {
      const bytes = readFileSync(file);
      return needles.some((needle) => bytes.includes(needle));
    });
}
