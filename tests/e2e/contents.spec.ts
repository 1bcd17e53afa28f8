import { readFileSync } from 'node:fs';
import { askedByFile, fileAsked } from '../support/asked.mjs';
import { expect, test } from '../support/fixtures';
import { distinctFiles, outputsIn } from '../support/folder.mjs';
import { promptTokens } from '../support/model-answers.mjs';

const text = (name: string) => readFileSync(`tests/cases/text/${name}`);

test('FIL-01, 02, 04, 05, 07: what reaches the model is the text of the file, or nothing', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder({
    'zero.txt': text('fil01-zero-byte.txt'),
    'white-space.txt': text('fil01b-whitespace-only.txt'),
    'gbk.txt': Buffer.concat([text('fil02-gbk.txt'), Buffer.from('\nmark-gbk')]),
    'utf16.txt': text('fil04-utf16le-bom.txt'),
    'bom-crlf.txt': Buffer.concat([text('fil05-utf8-bom-crlf-no-final-newline.txt'), Buffer.from('mark-bom')]),
    'picture.txt': text('fil07-picture-named.txt'),
  });
  const app = await openApp({ grant: folder });
  const task = await app.startTask({ folder, endpoint: modelServer.url, concurrency: 1 });
  await task.waitForStatus('completed');
  await task.expectCounts({ done: 3, skipped: 3, failed: 0 });
  await task.expectFile('zero.txt', { status: 'skipped', code: 'file_empty' });
  await task.expectFile('white-space.txt', { status: 'skipped', code: 'file_empty' });
  await task.expectFile('picture.txt', { status: 'skipped', code: 'file_binary' });

  const original = text('fil02-original.utf8.txt').toString('utf8').trim();
  const asked = modelServer.requests.map(({ content }) => content).filter((content) => content.includes('TL-204'));
  expect(asked).toHaveLength(3);
  for (const content of asked) {
    for (const line of original.split('\n')) expect(content).toContain(line);
    expect(content).not.toMatch(/\uFFFD|\uFEFF|\u0000/);
  }
  expect(asked.filter((content) => content.includes('mark-gbk'))).toHaveLength(1);
  expect(asked.filter((content) => content.includes('mark-bom'))).toHaveLength(1);
  const report = await task.report();
  for (const path of ['zero.txt', 'white-space.txt', 'picture.txt']) await expect(report).toContainText(path);
});

test('CTX-13: a long file is read to its end', async ({ openApp, modelServer, makeFolder }) => {
  const paragraph = '本节讨论预算的执行情况，各项指标均在计划之内，无需另行说明。\n\n';
  const folder = makeFolder({ 'long.txt': `${paragraph.repeat(1_300)}结论：批准 TL-204\n` });
  const app = await openApp({ grant: folder });
  modelServer.set({
    models: [{ id: 'small-window', max_model_len: 8_192 }],
    answer: (content) => (content.includes('批准 TL-204') ? '结论：批准 TL-204' : '预算执行正常。'),
  });
  const task = await app.startTask({ folder, endpoint: modelServer.url, model: 'small-window' });
  await task.waitForStatus('completed', { timeoutMs: 60_000 });
  await task.expectCounts({ done: 1, failed: 0 });
  expect(modelServer.requests.some(({ content }) => content.includes(`${paragraph.trim()}\n\n结论：批准 TL-204`))).toBe(
    true,
  );
  await expect(await task.fileDetail('long.txt')).toContainText('结论：批准 TL-204');
});

test('CTX-13: a report of 300 results is made in levels, no request is over the window, and every file counts', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  test.slow();
  const windowTokens = 4_096;
  const folder = makeFolder(distinctFiles(300));
  const app = await openApp({ grant: folder });
  modelServer.set({
    models: [{ id: 'small-window', max_model_len: windowTokens }],
    answer: (content) => `About «${fileAsked(content) ?? 'several'}». ${'One more measured value. '.repeat(40)}`,
  });
  const task = await app.startTask({ folder, endpoint: modelServer.url, model: 'small-window', concurrency: 6 });
  await task.waitForStatus('completed', { timeoutMs: 120_000 });
  await task.expectCounts({ done: 300, failed: 0 });
  const sizes = modelServer.requests.map(({ body }) => promptTokens(body) + (body.max_tokens ?? 0));
  expect(Math.max(...sizes)).toBeLessThanOrEqual(windowTokens);
  const asked = askedByFile(modelServer);
  expect(modelServer.requests.length - [...asked.values()].reduce((sum, each) => sum + each, 0)).toBeGreaterThan(
    4 + 300 / 20,
  );
  await expect.poll(() => outputsIn(folder)[0]?.results.length, { timeout: 60_000 }).toBe(300);
  const report = outputsIn(folder)[0]?.report ?? '';
  for (const path of Object.keys(distinctFiles(300)))
    expect(report.split(`(results/${path}.md)`), path).toHaveLength(2);
});

test('CTX-13: translations longer than the window are written whole, and the report is made of all of them', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const limitTokens = 4_096;
  const long = (n: number) =>
    `File <long-${String(n)}.txt>\n${Array.from({ length: 400 }, (_, i) => `Sentence ${String(i)} of text ${String(n)} says that the value is ${String(i * n)}.`).join(' ')}`;
  const names = ['long-1.txt', 'long-2.txt', 'long-3.txt', ...Object.keys(distinctFiles(2))];
  const folder = makeFolder({
    'long-1.txt': long(1),
    'long-2.txt': long(2),
    'long-3.txt': long(3),
    ...distinctFiles(2),
  });
  let refused = 0;
  modelServer.set({ models: [{ id: 'm', max_model_len: limitTokens }], answer: (content) => content.slice(-6_000) });
  modelServer.script(({ body }) => {
    const used = Math.ceil(JSON.stringify(body.messages).length / 4);
    const asked = used + (body.max_tokens ?? 0);
    if (asked <= limitTokens) return null;
    refused += 1;
    const message = `This model's maximum context length is ${String(limitTokens)} tokens. However, you requested ${String(asked)} tokens (${String(used)} in the messages, ${String(body.max_tokens ?? 0)} in the completion).`;
    return { type: 'json', status: 400, body: { error: { message, type: 'BadRequestError', code: 400 } } };
  });
  const app = await openApp({ grant: folder });
  await app.newTask({ folder, endpoint: modelServer.url, model: 'm', concurrency: 4 });
  await app.page.locator('select:has(option[value=translate])').selectOption('translate');
  await app.get('instructions').fill('German');
  const task = await app.start();
  await task.waitForStatus('completed', { timeoutMs: 60_000 });
  await task.expectCounts({ done: 5, failed: 0 });
  expect(refused).toBe(0);
  await expect.poll(() => outputsIn(folder)[0]?.results.length, { timeout: 60_000 }).toBe(5);
  const report = outputsIn(folder)[0]?.report ?? '';
  for (const name of names) expect(report.split(`(results/${name}.md)`), name).toHaveLength(2);
  const prompts = modelServer.requests.map(({ content }) => content);
  for (const n of [1, 2, 3]) {
    const condensed = prompts.filter(
      (content) => content.includes('Write at most') && content.includes(`of text ${String(n)} `),
    );
    expect(condensed.length, `pieces of text ${String(n)}`).toBeGreaterThan(1);
  }
});
