import { expect, it } from 'vitest';
import { resultKey } from '../core/ids';
import { EngineBench } from '../testing/engine-bench';
import { settle } from '../testing/fake-clock';
import { answer } from '../testing/scripted-model';
import { UnsavedAnswers } from './unsaved-answers';

const KEY = resultKey('a');
const OTHER = resultKey('b');

function counted() {
  const given = { back: 0 };
  return { given, release: () => void (given.back += 1) };
}

it('gives the permit of a saved answer back once it is saved, whether or not saving worked', async () => {
  const unsaved = new UnsavedAnswers();
  const [kept, refused] = [counted(), counted()];
  let end = () => undefined as void;
  unsaved.hold(KEY, kept.release);
  unsaved.hold(OTHER, refused.release);
  unsaved.saving(KEY, new Promise<void>((resolve) => (end = resolve)));
  unsaved.saving(OTHER, Promise.reject(new Error('fenced')));
  await settle();
  expect([kept.given.back, refused.given.back]).toEqual([0, 1]);
  end();
  await settle();
  expect(kept.given.back).toBe(1);
});

it('an answer that nobody saves gives its permit back when its step asks on or ends, and once only', async () => {
  const unsaved = new UnsavedAnswers();
  const [dropped, saving] = [counted(), counted()];
  unsaved.hold(KEY, dropped.release);
  unsaved.hold(OTHER, saving.release);
  let end = () => undefined as void;
  unsaved.saving(OTHER, new Promise<void>((resolve) => (end = resolve)));
  unsaved.drop();
  unsaved.drop();
  expect([dropped.given.back, saving.given.back]).toEqual([1, 0]);
  end();
  await settle();
  expect(saving.given.back).toBe(1);
});

/** What a kill at this moment would have to ask again: everything asked and not saved. */
it.each([1, 4])('at %i at once, no more calls than that are ever out or unsaved', async (concurrency) => {
  const bench = new EngineBench();
  for (let n = 0; n < 40; n += 1) bench.folder.put(`f_${String(n)}.txt`, `text number ${String(n)}`);
  bench.folder.put('long.txt', 'one sentence and another. '.repeat(3_000));
  bench.model.script(({ matter }) => answer(matter.slice(0, 40)));
  const commit = bench.store.commit.bind(bench.store);
  let atRisk = 0;
  let saved = new Set<string>();
  bench.store.commit = async (draft) => {
    const isAnswer = draft.results.length > 0;
    // The disk is slow with answers: whatever can be asked meanwhile is asked.
    if (isAnswer) {
      await settle();
      const asked = bench.model.calls.length;
      atRisk = Math.max(atRisk, asked - saved.size);
    }
    const done = await commit(draft);
    saved = new Set([...saved, ...draft.results.filter(({ reusable }) => reusable).map(({ key }) => key)]);
    return done;
  };
  await bench.createTask({ concurrency });
  await bench.run();
  expect((await bench.task()).status).toBe('completed');
  expect(bench.model.calls.length).toBeGreaterThan(45);
  expect(atRisk).toBeLessThanOrEqual(concurrency);
});

it('a part that the filter refuses does not keep the other parts from being asked', async () => {
  const bench = new EngineBench();
  bench.folder.put('long.txt', 'one sentence and another. '.repeat(3_000));
  bench.model.script(({ matter }, nth) => answer(matter.slice(0, 40), nth === 1 ? 'content_filter' : 'stop'));
  await bench.createTask({ concurrency: 1 });
  await bench.run();
  expect((await bench.task()).counts).toMatchObject({ running: 0, failed: 1 });
  expect(bench.model.calls.length).toBeGreaterThan(3);
});
