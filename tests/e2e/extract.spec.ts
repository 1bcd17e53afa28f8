import type { AppPage } from '../support/app-page';
import { fileAsked } from '../support/asked.mjs';
import { expect, test } from '../support/fixtures';
import { distinctFiles, outputsIn } from '../support/folder.mjs';
import type { Behaviour, ModelServer, ServedRequest } from '../support/model-server-types';

const FILES = ['a.txt', 'b.txt', 'c.txt', 'mended.txt', 'never.txt'];
const FIELDS = [
  { name: 'Number', type: 'text', description: 'of the sample, like S-1' },
  { name: 'Measured', type: 'number', description: '' },
  { name: 'Marks', type: 'list', description: '' },
] as const;

const asked = (request: ServedRequest) => body(request).map(({ content }) => content);
const fileOf = (request: ServedRequest) =>
  asked(request)
    .map(fileAsked)
    .find((path) => path !== null) ?? null;
const isRepair = (request: ServedRequest) => (body(request).at(-2)?.role ?? '') === 'assistant';
const body = (request: ServedRequest) => request.body.messages ?? [];

function fields(path: string, measured: unknown = FILES.indexOf(path) + 0.5): string {
  return JSON.stringify({ Number: `S-${path}`, Measured: measured, Marks: ['red', 'blue'] });
}

/** Four files get what was asked for, one of them at the second try; the fifth never does. */
function answerFields(request: ServedRequest): Behaviour | null {
  const path = fileOf(request);
  if (path === null || request.body.response_format === undefined) return null;
  if (path === 'never.txt') return { type: 'stream', text: 'It says nothing of the kind.' };
  if (path === 'mended.txt' && !isRepair(request)) return { type: 'stream', text: fields(path, 'rather much') };
  return { type: 'stream', text: fields(path) };
}

function questionsAbout(server: ModelServer, path: string): readonly ServedRequest[] {
  return server.requests.filter((request) => request.body.response_format !== undefined && fileOf(request) === path);
}

async function nameFields(app: AppPage): Promise<void> {
  await app.get('template').selectOption('extract');
  for (const [index, field] of FIELDS.entries()) {
    if (index >= (await app.get('schema-field').count())) await app.get('schema-add').click();
    const line = app.get('schema-field').nth(index);
    await line.getByTestId('schema-name').fill(field.name);
    await line.getByTestId('schema-type').selectOption(field.type);
    await line.getByTestId('schema-description').fill(field.description);
  }
}

test('the same fields of five files make one table; one bad answer is mended, one file never gets a good one', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  modelServer.script(answerFields);
  const folder = makeFolder(distinctFiles(FILES.length, (index) => FILES[index] ?? ''));
  const app = await openApp({ grant: folder });
  await app.newTask({ folder, endpoint: modelServer.url, concurrency: 1 });
  await nameFields(app);
  const task = await app.start();
  await task.waitForStatus('completed', { timeoutMs: 60_000 });
  await task.expectCounts({ done: 4, failed: 1 });

  const [good] = questionsAbout(modelServer, 'a.txt');
  expect(good?.body.response_format).toMatchObject({
    type: 'json_schema',
    json_schema: { schema: { required: ['Number', 'Measured', 'Marks'], additionalProperties: false } },
  });
  expect(FILES.map((path) => questionsAbout(modelServer, path).length)).toEqual([1, 1, 1, 2, 2]);
  const repair = questionsAbout(modelServer, 'mended.txt').find(isRepair);
  expect(repair && body(repair).at(-2)?.content).toBe(fields('mended.txt', 'rather much'));
  expect(repair && body(repair).at(-1)?.content).toContain('Measured');

  await task.expectFile('never.txt', { status: 'failed', code: 'schema_unmet' });
  await task.fileDetail('never.txt');
  await expect(app.get('unusable')).toHaveText('It says nothing of the kind.');
  const detail = await task.fileDetail('mended.txt');
  await expect(detail.getByTestId('field-values').locator('dd')).toHaveText(['S-mended.txt', '3.5', 'red; blue']);

  await expect.poll(() => outputsIn(folder)[0]?.results.length).toBe(4);
  const [output] = outputsIn(folder);
  const [header, ...lines] = (output?.csv ?? '').trim().split('\r\n');
  expect(header).toContain(',Number,Measured,Marks,');
  expect(lines).toHaveLength(5);
  expect(lines.find((line) => line.startsWith('mended.txt,'))).toContain(',S-mended.txt,3.5,red; blue,');
  expect(lines.find((line) => line.startsWith('never.txt,'))).toContain(',schema_unmet,,,,');

  const rows = (await task.download('jsonl')).toString().trim().split('\n');
  const parsed = rows.map((row) => JSON.parse(row) as { file: string; result: unknown });
  expect(parsed.find(({ file }) => file === 'a.txt')?.result).toEqual(JSON.parse(fields('a.txt')));
  expect(parsed.find(({ file }) => file === 'never.txt')?.result).toBeNull();

  modelServer.script((request) =>
    fileOf(request) === 'never.txt' && request.body.response_format
      ? { type: 'stream', text: fields('never.txt') }
      : answerFields(request),
  );
  await app.openTask(task.id);
  await task.press('retry-failed');
  await task.expectCounts({ done: 5, failed: 0 });
  await task.waitForStatus('completed', { timeoutMs: 60_000 });
  await expect.poll(() => outputsIn(folder)[0]?.csv ?? '').toContain(',S-never.txt,4.5,red; blue,');
  expect(FILES.map((path) => questionsAbout(modelServer, path).length)).toEqual([1, 1, 1, 2, 3]);
});

test('what keeps fields from being asked for is said before anything starts', async ({ openApp, makeFolder }) => {
  const folder = makeFolder(distinctFiles(1));
  const app = await openApp({ grant: folder });
  await app.newTask({ folder, endpoint: 'built-in' });
  await app.get('template').selectOption('extract');
  await expect(app.get('start')).toBeDisabled();
  await app.get('schema-name').first().fill('Total');
  await expect(app.get('start')).toBeEnabled();
  await app.get('schema-add').click();
  await app.get('schema-name').last().fill('total');
  await expect(app.get('start')).toBeDisabled();
});
