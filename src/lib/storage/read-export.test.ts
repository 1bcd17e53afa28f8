import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { endpointId, fileStepKey, folderId, resultKey, taskId } from '../core/ids';
import { sampleEffect, sampleFolder, sampleResult, sampleStep, sampleTask } from '../testing/sample-rows';
import { SCHEMA_VERSION } from './database';
import { linesOf } from './file-lines';
import { readExport } from './read-export';
import { EXPORT_VERSION } from './task-export';

const ID = taskId('0198c0de-0000-4000-8000-00000000000a');
const OF = { taskId: ID };
const FOLDER = sampleFolder({ id: folderId('0198c0de-0000-4000-8000-00000000000b') });
const ENDPOINT = endpointId('0198c0de-0000-4000-8000-00000000000c');
const TASK = sampleTask({
  id: ID,
  folderId: FOLDER.id,
  endpointId: ENDPOINT,
  status: 'paused',
  reason: 'user',
  seq: 3,
});
const DONE = sampleStep('a.txt', { ...OF, status: 'done', resultKey: resultKey('r1'), seq: 2 });
const LINE = { v: 1, ...OF, seq: 2, n: 0, atMs: 7, what: 'started', details: {}, failure: null };
const POINT = {
  ...{ v: 1, ...OF, seq: 2, epoch: 1, atMs: 7, status: 'running', reason: null, stage: 'files' },
  ...{ counts: TASK.counts, replaced: [DONE] },
};

const HEAD = {
  talaria: 'task',
  v: EXPORT_VERSION,
  id: TASK.id,
  name: TASK.name,
  exportedMs: 7,
  layout: SCHEMA_VERSION,
};

const ROWS: readonly { readonly row?: object; readonly [field: string]: unknown }[] = [
  { table: 'tasks', row: TASK },
  { table: 'folders', row: { ...FOLDER, handle: {} } },
  { table: 'results', row: sampleResult('r1') },
  { table: 'steps', row: DONE },
  { table: 'steps', row: sampleStep('b.txt', { ...OF, seq: 3 }) },
  { table: 'effects', row: sampleEffect('e1', OF) },
  { table: 'activity', row: LINE },
  { table: 'checkpoints', row: POINT },
  { table: 'partials', row: { v: 1, whatever: true } },
  { journal: '000001-0', seq: 3, entry: { what: 'base_end' } },
];

function fileOf(rows: readonly object[] = ROWS, head: object = HEAD): string {
  const all = [head, ...rows, { end: true, lines: rows.length }];
  return all.map((line) => `${JSON.stringify(line)}\n`).join('');
}

async function read(text: string | Uint8Array<ArrayBuffer>) {
  return readExport(linesOf(new Blob([text])));
}

/** The file with one row changed; rows begin in its second line. */
function withRow(at: number, change: object): string {
  return fileOf(
    ROWS.map((line, index) => (index === at && 'row' in line ? { ...line, row: { ...line.row, ...change } } : line)),
  );
}

describe('a file that was exported', () => {
  it('is the task with all its rows', async () => {
    const found = await read(fileOf());
    if (!found.ok) throw new Error(found.failure.message);
    expect(found.value.task).toEqual(TASK);
    expect(found.value.steps.map(({ key }) => key)).toEqual([fileStepKey('a.txt'), fileStepKey('b.txt')]);
    expect(found.value.results).toEqual([sampleResult('r1')]);
    expect(found.value.effects).toEqual([sampleEffect('e1', OF)]);
    expect(found.value.folder).toEqual({ ...FOLDER, handle: {} });
    expect([found.value.activity, found.value.checkpoints]).toEqual([[LINE], [POINT]]);
  });

  it('may have the line ends of another system, and none at its end', async () => {
    expect((await read(fileOf().replaceAll('\n', '\r\n'))).ok).toBe(true);
    expect((await read(fileOf().trimEnd())).ok).toBe(true);
  });

  it('may begin with the mark of its encoding', async () => {
    expect((await read(`\ufeff${fileOf()}`)).ok).toBe(true);
  });

  it('may bring an answer along with every step that has it', async () => {
    const found = await read(fileOf([...ROWS, { table: 'results', row: sampleResult('r1', { lastUsedMs: 8 }) }]));
    expect(found.ok && found.value.results).toEqual([sampleResult('r1')]);
  });

  it('keeps letters of every language, however it comes in', async () => {
    const bytes = new TextEncoder().encode(withRow(0, { name: '访谈记录' }));
    const pieces = Array.from(bytes, (byte) => Uint8Array.of(byte));
    const stream = () =>
      new ReadableStream({ start: (to) => (pieces.forEach((piece) => to.enqueue(piece)), to.close()) });
    const found = await readExport(linesOf(Object.assign(new Blob(), { stream })));
    expect(found.ok && found.value.task.name).toBe('访谈记录');
  });
});

/** Written by the first version, and never changed since: people have such files. */
it('a file of the first version is read by every later one', async () => {
  const found = await read(readFileSync(new URL('fixtures/export-v1.jsonl', import.meta.url), 'utf8'));
  if (!found.ok) throw new Error(found.failure.message);
  const { task, steps, results, checkpoints, effects, activity } = found.value;
  expect(task).toMatchObject({ status: 'completed', name: 'notes: Summarise', counts: { planned: 3, done: 3 } });
  expect(steps.filter(({ type }) => type === 'file')).toHaveLength(3);
  expect(steps.filter(({ type }) => type === 'section')).toHaveLength(4);
  expect(results.find(({ key }) => key === task.report)?.output).toContain('3 of 3 files');
  for (const rows of [checkpoints, effects, activity]) expect(rows.length).toBeGreaterThan(2);
});

const DAMAGED: readonly (readonly [what: string, text: string, line: number])[] = [
  ['empty', '', 1],
  ['of something else', 'name,size\na.txt,7\n', 1],
  ['of another kind of export', `${JSON.stringify({ talaria: 'results', v: 1 })}\n`, 1],
  ['cut short at a line end', fileOf().split('\n').slice(0, 5).join('\n'), 6],
  ['cut short in a line', fileOf().slice(0, -12), 12],
  ['cut short in its first line', fileOf().slice(0, 40), 1],
  ['of nothing but ends of lines', '\n\n', 1],
  ['with an empty line', fileOf().replace('\n', '\n\n'), 2],
  ['in another encoding', `\u0000${fileOf()}`, 1],
  ['without one of its lines', fileOf().split('\n').toSpliced(5, 1).join('\n'), 11],
  ['longer than it says', `${fileOf()}{}\n`, 13],
  ['without its task', fileOf(ROWS.slice(1)), 12],
  ['of two tasks', fileOf([ROWS[0] ?? {}, ...ROWS]), 3],
  ['with a line of no table', fileOf([...ROWS, { table: 'settings', row: {} }]), 12],
  ['with a line of an object’s own', fileOf([...ROWS, { table: 'constructor', row: {} }]), 12],
  ['with a task of another id', withRow(0, { id: 'other' }), 2],
  ['with a state that there is not', withRow(0, { status: 'RUNNING!' }), 2],
  ['with a result that is no text', withRow(2, { output: 7 }), 4],
  ['with a step of another task', withRow(3, { taskId: 'other' }), 5],
  ['with a step done without a result', withRow(3, { resultKey: null }), 5],
  ['with a step under another file’s key', withRow(3, { key: 'file/b.txt' }), 5],
  ['with a path that leads out', withRow(3, { key: 'file/../a', file: { ...DONE.file, path: '../a' } }), 5],
  ['with a count that is no number', withRow(4, { attempts: 'many' }), 6],
  ['with a failure that there is not', withRow(4, { failure: { code: 'no_such_code' } }), 6],
  ['with an effect that leads out', withRow(5, { target: '../../report.md' }), 7],
  ['with a whole answer that was cut', withRow(2, { finishReason: 'length' }), 4],
  ['with a date that there is not', withRow(0, { createdMs: 1e300 }), 2],
  ['with more commits than can be counted', withRow(0, { seq: 2 ** 53 }), 2],
  ['of a folder whose id leads out', withRow(1, { id: '../x' }), 3],
  ['of an endpoint whose id is none', withRow(0, { endpointId: '..' }), 2],
  ['that wrote elsewhere', withRow(0, { outputPath: 'talaria/../../x' }), 2],
  [
    'forked from a task whose id is none',
    withRow(0, {
      forkedFrom: { taskId: '..', name: 'x', seq: 1, atMs: 1, keepsResults: true, copying: null },
    }),
    2,
  ],
  ['with a part of a file that leads out', withRow(3, { type: 'part', file: null, key: 'part/../a#00001' }), 5],
  ['with a part that has no number', withRow(3, { type: 'part', file: null, key: 'part/a' }), 5],
  ['with a section under the key of a file', withRow(3, { type: 'section', file: null }), 5],
  ['with a past that leads out', withRow(7, { replaced: [stepOf('../a')] }), 9],
];

/** Ids that become parts of paths and of names of files. */
const IDS = ['..', '../../x', 'a/b', '__proto__', '', 'x'.repeat(400), '\ud800', ID.toUpperCase(), `${ID}/..`];

const PATHS = ['..', '../a', 'a/../b', './a', 'a//b', '/a', 'a/', '..\\a', 'C:\\a', 'a\\b', ''];

function stepOf(path: string) {
  return { ...sampleStep(path), ...OF };
}

describe('a file that is damaged is no task, and the line is told', () => {
  it.each(DAMAGED)('%s', async (_, text, line) => {
    expect(await read(text)).toMatchObject({ ok: false, failure: { code: 'import_unreadable', details: { line } } });
  });

  it.each(IDS)('of a task with the id %j', async (id) => {
    const text = fileOf().replaceAll(ID, JSON.stringify(id).slice(1, -1));
    expect(await read(text)).toMatchObject({ ok: false, failure: { code: 'import_unreadable', details: { line: 1 } } });
  });

  it.each(PATHS)('with a file at %j', async (path) => {
    const text = withRow(4, stepOf(path));
    expect(await read(text)).toMatchObject({ ok: false, failure: { code: 'import_unreadable', details: { line: 6 } } });
  });

  it.each(PATHS)('with an effect at %j', async (target) => {
    const text = withRow(5, { target });
    expect(await read(text)).toMatchObject({ ok: false, failure: { code: 'import_unreadable', details: { line: 7 } } });
  });

  it.each([
    ['folder', { table: 'folders', row: FOLDER }],
    ['step', { table: 'steps', row: { ...DONE, excerpt: 'other' } }],
    ['answer to one request', { table: 'results', row: sampleResult('r1', { output: 'other' }) }],
    ['effect', { table: 'effects', row: sampleEffect('e1', OF) }],
    ['line of activity', { table: 'activity', row: LINE }],
    ['checkpoint', { table: 'checkpoints', row: POINT }],
  ])('with a second %s of one id', async (_, row) => {
    const text = fileOf([...ROWS, row]);
    expect(await read(text)).toMatchObject({
      ok: false,
      failure: { code: 'import_unreadable', details: { line: ROWS.length + 2 } },
    });
  });

  it('with a line that no browser could hold, of which no more is read', async () => {
    const piece = new TextEncoder().encode('x'.repeat(1_000));
    let given = 0;
    const pull = (to: ReadableStreamDefaultController) => to.enqueue(given++ === 0 ? first : piece);
    const first = new TextEncoder().encode(`${fileOf().split('\n')[0] ?? ''}\n`);
    const endless = Object.assign(new Blob(), { stream: () => new ReadableStream({ pull }) });
    const found = await readExport(linesOf(endless, 100_000));
    expect(found).toMatchObject({ ok: false, failure: { code: 'import_unreadable', details: { line: 2 } } });
    expect(given).toBeLessThan(110);
  });

  it('that is gone before it was read', async () => {
    const stream = () =>
      new ReadableStream({ pull: (to) => to.error(new DOMException('It changed.', 'NotReadableError')) });
    const found = await readExport(linesOf(Object.assign(new Blob(), { stream })));
    expect(found).toMatchObject({ ok: false, failure: { code: 'import_unreadable', details: { line: 1 } } });
  });

  it('with a byte that is no UTF-8', async () => {
    const bytes = new TextEncoder().encode(fileOf());
    bytes[20] = 0xff;
    expect(await read(bytes)).toMatchObject({ ok: false, failure: { code: 'import_unreadable' } });
  });
});

describe('a file of a newer version is refused as such', () => {
  it.each([
    ['the file', fileOf(ROWS, { ...HEAD, v: EXPORT_VERSION + 1 })],
    ['the layout', fileOf(ROWS, { ...HEAD, layout: SCHEMA_VERSION + 1 })],
    ['a row, whatever is in it', withRow(3, { v: 2, status: 'dreamt' })],
  ])('%s', async (_, text) => {
    expect(await read(text)).toMatchObject({ ok: false, failure: { code: 'import_from_newer_version' } });
  });
});
