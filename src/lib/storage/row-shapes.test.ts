import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { failure } from '../core/failure';
import { resultKey } from '../core/ids';
import { sampleEndpoint, sampleFolder, sampleResult, sampleStep, sampleTask } from '../testing/sample-rows';
import { DEFAULT_ENDPOINT_SETTINGS } from '../core/endpoint-settings';
import { endpointRow, folderRow, resultRows, stepRows, taskRow } from './row-shapes';
import { sortTasks } from './task-list';

const failureOf = (result: ReturnType<typeof taskRow>) => (result.ok ? null : result.failure);

describe('a stored task', () => {
  it('is taken as it lies when every field is right', () => {
    const task = sampleTask({
      failure: failure('rate_limited', { details: { seconds: 3 }, retryAfterMs: 3_000 }),
      hold: { code: 'rate_limited', untilMs: 9 },
      recovery: { atMs: 1, settledBefore: 2, repeated: 0, inFlight: 1, continuedTokens: 0 },
      report: resultKey('r'),
    });
    const read = taskRow(task, task.id);
    expect(read.ok && read.value).toBe(task);
    expect(taskRow(undefined, 'x')).toEqual({ ok: true, value: null });
  });

  const { counts, ...withoutCounts } = sampleTask();
  const broken: [string, unknown][] = [
    ['id', { ...sampleTask(), id: 7 }],
    ['status', { ...sampleTask(), status: 'RUNNING!' }],
    ['counts', withoutCounts],
    ['counts.done', { ...sampleTask(), counts: { ...counts, done: '4' } }],
    ['epoch', { ...sampleTask(), epoch: NaN }],
    ['options.include', { ...sampleTask(), options: { ...sampleTask().options, include: { 0: null } } }],
    ['failure.code', { ...sampleTask(), failure: { ...failure('fenced'), code: 'nonsense' } }],
    ['options.deadlineHours', { ...sampleTask(), options: { ...sampleTask().options, deadlineHours: '2' } }],
    ['options.failurePercent', { ...sampleTask(), options: { ...sampleTask().options, failurePercent: 101 } }],
    ['deadlineFromMs', { ...sampleTask(), deadlineFromMs: null }],
    ['', null],
    ['', 'text'],
    ['v', { ...sampleTask(), v: 0 }],
  ];
  it.each(broken)('is unreadable when %s is wrong', (field, row) => {
    expect(failureOf(taskRow(row, 'task-1'))).toMatchObject({
      code: 'row_unreadable',
      details: { table: 'tasks', id: 'task-1', field },
    });
  });

  it('seed defect 26: is from a newer version before anything else is looked at', () => {
    expect(failureOf(taskRow({ v: 2, id: 'task-1' }, 'task-1'))).toMatchObject({
      code: 'row_from_newer_version',
      details: { version: 2 },
    });
  });
});

describe('RES-04: a damaged task among others', () => {
  it('is set aside with its reason; the others are listed', () => {
    const file = new URL('../../../tests/cases/resume/res04-wrong-types.json', import.meta.url);
    const wrongTypes: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const rows = [sampleTask(), wrongTypes, { v: 3, id: 'new', name: 'Later' }, null];
    const { readable, quarantined } = sortTasks(rows);
    expect(readable).toEqual([sampleTask()]);
    expect(quarantined.map(({ id, name, failure: why }) => [id, name, why.code])).toEqual([
      ['', '', 'row_unreadable'],
      ['new', 'Later', 'row_from_newer_version'],
      ['', '', 'row_unreadable'],
    ]);
  });
});

describe('other stored rows', () => {
  it('accepts ours', () => {
    expect(folderRow(sampleFolder(), 'f').ok).toBe(true);
    expect(endpointRow(sampleEndpoint({ lastCheck: { atMs: 1, state: 'ready', latencyMs: null } }), 'e').ok).toBe(true);
    expect(stepRows([sampleStep(), undefined])).toEqual({ ok: true, value: [sampleStep(), undefined] });
    expect(resultRows([sampleResult()]).ok).toBe(true);
  });

  it('keeps an endpoint whose settings or findings are damaged, without what is damaged', () => {
    const settings = { ...DEFAULT_ENDPOINT_SETTINGS, concurrency: 8, headers: { 'X-Title': 'Talaria' } };
    const capabilities = { atMs: 1, server: 'vllm', lanes: [] };
    const whole = { ...sampleEndpoint(), settings, capabilities };
    expect(endpointRow(whole, 'e')).toEqual({ ok: true, value: whole });
    const damaged = {
      ...sampleEndpoint(),
      settings: { ...settings, concurrency: 'many', headers: 3 },
      capabilities: 7,
    };
    expect(endpointRow(damaged, 'e')).toEqual({
      ok: true,
      value: { ...sampleEndpoint(), settings: DEFAULT_ENDPOINT_SETTINGS },
    });
  });

  it.each([
    ['v', { v: 0 }],
    ['status', { status: undefined }],
    ['type', { type: undefined }],
    ['file', { file: null }],
    ['inputs', { inputs: undefined }],
    ['history', { history: undefined }],
    ['flags', { flags: undefined }],
  ])('names the step and its field %s when it is wrong', (field, fields) => {
    const bad = Object.assign(sampleStep('b.txt'), fields);
    expect(stepRows([sampleStep(), bad])).toMatchObject({
      ok: false,
      failure: { code: 'row_unreadable', details: { table: 'steps', id: 'file/b.txt', field } },
    });
  });

  it('refuses steps and results of a newer version, and results without text', () => {
    const code = (result: ReturnType<typeof stepRows> | ReturnType<typeof resultRows>) =>
      result.ok ? 'ok' : result.failure.code;
    expect(code(stepRows([Object.assign(sampleStep(), { v: 2 })]))).toBe('row_from_newer_version');
    expect(code(resultRows([Object.assign(sampleResult(), { v: 2 })]))).toBe('row_from_newer_version');
    expect(code(resultRows([Object.assign(sampleResult(), { output: null })]))).toBe('row_unreadable');
  });
});
