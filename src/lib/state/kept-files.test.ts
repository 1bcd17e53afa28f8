import { expect, it } from 'vitest';
import type { EffectRow } from '../core/effect';
import { effectKeyOf } from '../core/effect-key';
import { TASK } from '../testing/engine-bench';
import { sampleEffect } from '../testing/sample-rows';
import { createDigest } from '../platform/digest-webcrypto';
import { keptFiles } from './kept-files';

const digest = createDigest();

async function change(target: string, nth: number, state: EffectRow['state'], kind = 'folder_write') {
  const row = { ...sampleEffect(target), taskId: TASK, stepKey: null, target, nth, state, kind };
  return { ...row, key: await effectKeyOf(digest, row) };
}

const reading = (all: readonly EffectRow[]) => ({
  effect: (_: unknown, key: EffectRow['key']) => Promise.resolve(all.find((each) => each.key === key) ?? null),
  effects: (_: unknown, state: EffectRow['state']) => Promise.resolve(all.filter((each) => each.state === state)),
});

const kept = async (changes: readonly ReturnType<typeof change>[]) =>
  keptFiles(reading(await Promise.all(changes)), digest, TASK);

it('is the report that the person said to keep', async () => {
  expect(await kept([change('notes/report.md', 1, 'done'), change('notes/report.md', 2, 'abandoned')])).toEqual({
    report: true,
    others: 0,
  });
});

it('is not what was written or asked about since', async () => {
  const changes = [change('notes/report.md', 2, 'abandoned'), change('notes/results.csv', 2, 'abandoned')];
  const since = [change('notes/report.md', 3, 'done'), change('notes/results.csv', 3, 'contested')];
  expect(await kept([...changes, ...since])).toEqual({ report: false, others: 0 });
});

it('counts other files, also a result that is named like the report', async () => {
  const changes = [
    change('notes/results.csv', 2, 'abandoned'),
    change('notes/results/report.md', 2, 'abandoned'),
    change('/orders', 1, 'abandoned', 'http_request'),
  ];
  expect(await kept(changes)).toEqual({ report: false, others: 2 });
});
