import { expect, it } from 'vitest';
import { failure } from '../../core/failure';
import { resultKey } from '../../core/ids';
import { fail } from '../../core/result';
import type { TaskRow } from '../../core/task';
import { JournalDisk } from '../../testing/journal-disk';
import { sampleResult, sampleStep, sampleTask } from '../../testing/sample-rows';
import type { JournaledCheckpointStore } from '../checkpoint-store-journaled';
import { begin, commitTo, valueOf } from '../checkpoint-store.conformance';

const ID = sampleTask().id;
const done = (key: string, seq = 0) => sampleStep('a.txt', { status: 'done', resultKey: resultKey(key), seq });

/** A task whose one file was answered, changed and was answered again. */
async function changedTask(store: JournaledCheckpointStore): Promise<TaskRow> {
  const first = await commitTo(store, await begin(store), { steps: [done('then')], results: [sampleResult('then')] });
  return commitTo(store, first, {
    steps: [{ ...done('now', 1), addedSeq: 1 }],
    replaced: [{ ...done('then', 1), addedSeq: 1 }],
    results: [sampleResult('now')],
  });
}

/** Its journal is gone: the next owner writes it anew. */
function forgetJournal(disk: JournalDisk): void {
  disk.files.files.get(ID)?.clear();
  disk.files.crash();
}

it('a base holds the answers that only a point of the past uses', async () => {
  const disk = new JournalDisk();
  await changedTask(disk.open());
  forgetJournal(disk);
  valueOf(await disk.open().own(ID, 5));
  disk.killAndWipe();
  const rebuilt = disk.open();
  const [, past] = valueOf(await rebuilt.checkpoints(ID, null, 9));
  expect(past?.seq).toBe(1);
  const found = valueOf(await rebuilt.results([resultKey('now'), resultKey('then')]));
  expect(found.map((row) => row?.key)).toEqual(['now', 'then']);
});

it('an answer that is damaged keeps no other from being in it, nor the task from being taken over', async () => {
  const disk = new JournalDisk();
  await changedTask(disk.open());
  forgetJournal(disk);
  const { inner } = disk;
  const results = inner.results.bind(inner);
  const damaged = fail(failure('row_unreadable'));
  inner.result = async (key) =>
    key === 'then' ? damaged : { ok: true, value: valueOf(await results([key]))[0] ?? null };
  inner.results = async (keys) => (keys.includes(resultKey('then')) ? damaged : results(keys));
  valueOf(await disk.open().own(ID, 5));
  disk.killAndWipe();
  const found = valueOf(await disk.open().results([resultKey('now'), resultKey('then')]));
  expect(found.map((row) => row?.key ?? null)).toEqual(['now', null]);
});
