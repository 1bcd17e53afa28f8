import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { askedByFile, fileAsked } from '../support/asked.mjs';
import { expect, test } from '../support/fixtures';
import { distinctFiles, outputsIn } from '../support/folder.mjs';

test('a folder on the disk becomes a report on screen and files in the folder', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder({
    ...distinctFiles(6),
    ...distinctFiles(2, (index) => `访谈/第${index}期/记录.md`),
    'picture.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]),
  });
  const app = await openApp({ grant: folder });
  const task = await app.startTask({ folder, endpoint: modelServer.url });
  await task.waitForStatus('completed');
  await task.expectCounts({ done: 8, failed: 0, reused: 0 });
  // PWA-07: a plain file host is enough.
  expect(await app.page.evaluate(() => crossOriginIsolated)).toBe(false);
  expect(await task.settled()).toBeGreaterThanOrEqual(8);
  expect([...askedByFile(modelServer).values()]).toEqual(Array(8).fill(1));

  const report = await task.report();
  await expect(report).toContainText('note-0003.txt');
  await expect(report).toContainText('访谈/第1期/记录.md');

  // The table is written last.
  await expect.poll(() => outputsIn(folder)[0]?.csv ?? '').toContain('note-0005.txt');
  const [output, ...more] = outputsIn(folder);
  expect(more).toEqual([]);
  expect(output?.results).toHaveLength(8);
  expect(output?.results).toContain('访谈/第0期/记录.md.md');
  expect(output?.report).toContain('note-0003.txt');
  expect(readFileSync(join(output?.dir ?? '', 'results', 'note-0002.txt.md'), 'utf8')).toContain(
    'About «note-0002.txt»',
  );
});

test('the sample folder needs neither a disk nor a server', async ({ openApp }) => {
  const app = await openApp();
  const task = await app.startTask({ folder: null, endpoint: 'built-in' });
  await task.waitForStatus('completed');
  expect((await task.counts()).done).toBeGreaterThan(0);
  await expect(await task.report()).not.toBeEmpty();
});

test('RES-17: answers in reverse order stay with their own files', async ({ openApp, modelServer, makeFolder }) => {
  const folder = makeFolder(distinctFiles(8));
  let waiting: (() => void)[] = [];
  modelServer.script((request) => {
    if (fileAsked(request.content) === null) return null;
    return new Promise((resolve) => {
      waiting.push(() => resolve(null));
      if (waiting.length < 4) return;
      const group = waiting.reverse();
      waiting = [];
      // Each is sent only after the one asked later went out whole.
      void group.reduce<Promise<void>>(async (before, go) => {
        await before;
        const finished = modelServer.requests.filter((one) => one.finished).length;
        go();
        await modelServer.waitFor((server) => server.requests.filter((one) => one.finished).length > finished);
      }, Promise.resolve());
    });
  });
  const app = await openApp({ grant: folder });
  const task = await app.startTask({ folder, endpoint: modelServer.url, concurrency: 4 });
  await task.waitForStatus('completed');
  // The table is written last.
  await expect.poll(() => outputsIn(folder)[0]?.csv ?? '').not.toBe('');
  expect(outputsIn(folder)[0]?.results.length).toBe(8);
  const dir = outputsIn(folder)[0]?.dir ?? '';
  for (const path of Object.keys(distinctFiles(8))) {
    expect(readFileSync(join(dir, 'results', `${path}.md`), 'utf8')).toContain(`About «${path}»`);
  }
});

test('RES-01: files with equal content are asked about once and both are reported', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder({ 'a.txt': 'The same words.\n', 'b.txt': 'The same words.\n', 'c.txt': 'Other words.\n' });
  const app = await openApp({ grant: folder });
  const task = await app.startTask({ folder, endpoint: modelServer.url, concurrency: 1 });
  await task.waitForStatus('completed');
  await task.expectCounts({ done: 2, reused: 1 });
  expect(modelServer.requests.filter(({ content }) => content.includes('The same words.'))).toHaveLength(1);
  const report = await task.report();
  await expect(report).toContainText('a.txt');
  await expect(report).toContainText('b.txt');
  await expect.poll(() => outputsIn(folder)[0]?.results).toEqual(['a.txt.md', 'b.txt.md', 'c.txt.md']);
});

test('RES-19: equal base names make separate outputs, and own output is never read as input', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const { tree } = JSON.parse(readFileSync('tests/cases/resume/res20-same-basename.json', 'utf8')) as {
    tree: string[];
  };
  const folder = makeFolder(distinctFiles(tree.length, (index) => tree[index] ?? ''));
  const app = await openApp({ grant: folder });
  const first = await app.startTask({ folder, endpoint: modelServer.url });
  await first.waitForStatus('completed');
  await expect.poll(() => outputsIn(folder)[0]?.results).toEqual([...tree].map((path) => `${path}.md`).sort());

  await app.open('/new');
  await app.chooseFolder(folder);
  await expect(app.get('file-count')).toHaveAttribute('data-value', String(tree.length));
  const second = await app.startTask({ folder, endpoint: modelServer.url, instructions: 'Answer in another way.' });
  await second.waitForStatus('completed');
  expect((await second.counts()).done).toBe(tree.length);
  expect([...askedByFile(modelServer).keys()].sort()).toEqual([...tree].sort());
});

test('IDB-04: hashing and slow answers never leave a transaction hanging', async ({
  openApp,
  startServer,
  makeFolder,
}) => {
  const server = await startServer({ delayMs: 150, betweenMs: 30 });
  const folder = makeFolder(distinctFiles(50));
  const app = await openApp({ grant: folder });
  const task = await app.startTask({ folder, endpoint: server.url, concurrency: 6 });
  await task.waitForStatus('completed', { timeoutMs: 60_000 });
  await task.expectCounts({ done: 50, failed: 0 });
  expect(app.problems.filter((text) => /PrematureCommit|TransactionInactive/.test(text))).toEqual([]);
});

test('1,000 files are each asked once', async ({ openApp, modelServer, makeFolder }) => {
  test.slow();
  const folder = makeFolder(distinctFiles(1000, (index) => `${index % 20}/note-${index}.txt`));
  const app = await openApp({ grant: folder });
  const task = await app.startTask({ folder, endpoint: modelServer.url, concurrency: 6 });
  await task.waitForStatus('completed', { timeoutMs: 150_000 });
  await task.expectCounts({ done: 1000, failed: 0 });
  const asked = askedByFile(modelServer);
  expect(asked.size).toBe(1000);
  expect([...asked].filter(([, times]) => times !== 1)).toEqual([]);
  await expect.poll(() => outputsIn(folder)[0]?.results.length, { timeout: 60_000 }).toBe(1000);
});
