import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fileStepKey, resultKey } from '../core/ids';
import { sampleEffect, sampleFolder, sampleResult, sampleStep, sampleTask } from '../testing/sample-rows';
import { SCHEMA_VERSION } from './database';
import { linesOf, readExport } from './read-export';
import { EXPORT_VERSION } from './task-export';

const TASK = sampleTask({ status: 'paused', reason: 'user', seq: 3 });
const DONE = sampleStep('a.txt', { status: 'done', resultKey: resultKey('r1'), seq: 2 });

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
  { table: 'folders', row: { ...sampleFolder(), handle: {} } },
  { table: 'results', row: sampleResult('r1') },
  { table: 'steps', row: DONE },
  { table: 'steps', row: sampleStep('b.txt', { seq: 3 }) },
  { table: 'effects', row: sampleEffect() },
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
    expect(found.value.effects).toEqual([sampleEffect()]);
  });

  it('may have the line ends of another system, and none at its end', async () => {
    expect((await read(fileOf().replaceAll('\n', '\r\n'))).ok).toBe(true);
    expect((await read(fileOf().trimEnd())).ok).toBe(true);
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
  ['cut short in a line', fileOf().slice(0, -12), 10],
  ['without one of its lines', fileOf().split('\n').toSpliced(5, 1).join('\n'), 9],
  ['longer than it says', `${fileOf()}{}\n`, 11],
  ['without its task', fileOf(ROWS.slice(1)), 10],
  ['of two tasks', fileOf([ROWS[0] ?? {}, ...ROWS]), 12],
  ['with a line of no table', fileOf([...ROWS, { table: 'settings', row: {} }]), 10],
  ['with a line of an object’s own', fileOf([...ROWS, { table: 'constructor', row: {} }]), 10],
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
];

describe('a file that is damaged is no task, and the line is told', () => {
  it.each(DAMAGED)('%s', async (_, text, line) => {
    expect(await read(text)).toMatchObject({ ok: false, failure: { code: 'import_unreadable', details: { line } } });
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
