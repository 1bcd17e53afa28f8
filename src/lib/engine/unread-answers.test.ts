import { describe, expect, it } from 'vitest';
import { failure } from '../core/failure';
import { fail, ok } from '../core/result';
import { EngineBench } from '../testing/engine-bench';
import { answer } from '../testing/scripted-model';

const FILES = 6;
const EVERY_MS = 3_000;
const textOf = (n: number) => `text number ${String(n)}`;
const unread = () => fail(failure('cors_blocked'));

async function benchOf(files = FILES) {
  const bench = new EngineBench();
  for (let n = 0; n < files; n += 1) bench.folder.put(`f_${String(n)}.txt`, textOf(n));
  bench.model.isReachable = () => ok();
  await bench.createTask({ concurrency: 4 });
  return bench;
}

describe('a refusal that the page may not read', () => {
  it('loses no file while it says to come again later: one answer in three seconds', async () => {
    const bench = await benchOf();
    let freeAtMs = 0;
    bench.model.script(({ matter }) => {
      const nowMs = bench.clock.monotonicMs();
      if (nowMs < freeAtMs) return unread();
      freeAtMs = nowMs + EVERY_MS;
      return answer(matter);
    });
    expect(await bench.run()).toEqual(ok());
    expect(await bench.task()).toMatchObject({ status: 'completed', counts: { done: FILES, failed: 0 } });
  });

  it('is waited for minutes with one file alone', async () => {
    const bench = await benchOf(1);
    bench.model.script(({ matter }) => (bench.clock.monotonicMs() < 3 * 60_000 ? unread() : answer(matter)));
    expect(await bench.run()).toEqual(ok());
    expect(await bench.task()).toMatchObject({ status: 'completed', counts: { done: 1, failed: 0 } });
  });

  it('sets a file aside that never gets another while the rest is answered, and says that it was refused', async () => {
    const bench = await benchOf();
    bench.model.script(({ matter }) => (matter === textOf(2) ? unread() : answer(matter)));
    expect(await bench.run()).toEqual(ok());
    expect(await bench.task()).toMatchObject({ status: 'completed', counts: { done: FILES - 1, failed: 1 } });
    const step = (await bench.files()).find(({ file }) => file?.path === 'f_2.txt');
    expect(step?.failure).toMatchObject({ code: 'request_rejected', details: { times: 10 } });
    expect(bench.model.fileCalls.filter(({ matter }) => matter === textOf(2))).toHaveLength(10);
  });
});
