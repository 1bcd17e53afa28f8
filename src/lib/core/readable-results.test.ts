import { expect, it } from 'vitest';
import { sampleResult } from '../testing/sample-rows';
import { failure } from './failure';
import { resultKey } from './ids';
import type { CheckpointStore } from './ports';
import { readableResults } from './readable-results';
import { fail, ok, type Result } from './result';
import type { ResultRow } from './results';

const rows: Readonly<Record<string, Result<ResultRow | null>>> = {
  whole: ok(sampleResult('whole')),
  gone: ok(null),
  damaged: fail(failure('row_unreadable')),
  newer: fail(failure('row_from_newer_version')),
};

function read(...names: string[]) {
  const result: CheckpointStore['result'] = (key) => Promise.resolve(rows[key] ?? ok(null));
  const results: CheckpointStore['results'] = async (keys) => {
    const all = await Promise.all(keys.map(result));
    return all.find((each) => !each.ok) ?? ok(all.map((each) => (each.ok ? each.value : null)));
  };
  return readableResults({ result, results }, names.map(resultKey));
}

it('gives every answer that can be read, also beside a damaged one', async () => {
  expect(await read('whole', 'gone', 'whole')).toEqual(ok([sampleResult('whole'), null, sampleResult('whole')]));
  expect(await read('damaged', 'whole')).toEqual(ok([null, sampleResult('whole')]));
});

it.each([[['newer', 'whole']], [['damaged', 'newer']]])(
  'takes no answer of a newer version for none: %j',
  async (names) => {
    expect(await read(...names)).toMatchObject({ ok: false, failure: { code: 'row_from_newer_version' } });
  },
);
