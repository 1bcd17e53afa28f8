import { describe, expect, it } from 'vitest';
import { mergeDrafts } from '../core/commit';
import type { EffectAnswer } from '../core/effect';
import { failure } from '../core/failure';
import { fail } from '../core/result';
import { EngineBench, TASK } from '../testing/engine-bench';
import { answerEffects } from './effects/answer-effects';
import { OwnedTask } from './owned-task';
import { Wakeup } from './wakeup';
import { writeOutput } from './write-output';

async function written(prepare: (bench: EngineBench) => void) {
  const bench = new EngineBench();
  bench.folder.put('a.txt', 'a text');
  prepare(bench);
  await bench.createTask();
  await bench.run();
  return bench.task();
}

it('writes the report, a file for each result and the table, and says where', async () => {
  const files: string[] = [];
  const task = await written(({ folder }) => {
    const write = folder.write.bind(folder);
    folder.write = (path, content) => {
      files.push(path);
      return write(path, content);
    };
  });
  expect(task).toMatchObject({ output: 'written', outputPath: 'talaria/notes-012345' });
  expect(files).toEqual(['report.md', 'results/a.txt.md', 'results.csv'].map((file) => `notes-012345/${file}`));
});

it.each([
  ['folder_permission', 'refused'],
  ['folder_write_failed', 'failed'],
] as const)('%s leaves a completed task with its output %s', async (code, output) => {
  const task = await written(({ folder }) => {
    folder.write = () => Promise.resolve(fail(failure(code)));
  });
  expect(task).toMatchObject({ status: 'completed', output, failure: null });
});

describe('a second time', () => {
  it('writes only what has changed', async () => {
    const bench = new EngineBench();
    bench.folder.put('a.txt', 'a text').put('b.txt', 'b text');
    await bench.createTask();
    await bench.run();
    const written: string[] = [];
    const write = bench.folder.write.bind(bench.folder);
    bench.folder.write = (path, content) => {
      written.push(path);
      return write(path, content);
    };
    bench.folder.put('b.txt', 'another text');
    await bench.run();
    expect(written.sort()).toEqual(
      ['report.md', 'results.csv', 'results/b.txt.md'].map((file) => `notes-012345/${file}`),
    );
    written.length = 0;
    await bench.run();
    expect(written).toEqual([]);
    expect(await bench.task()).toMatchObject({ status: 'completed', output: 'written' });
  });

  it('writes what the person deleted, and leaves what they edited when nothing of ours is new', async () => {
    const bench = new EngineBench();
    bench.folder.put('a.txt', 'a text');
    await bench.createTask();
    await bench.run();
    bench.folder.written.delete('notes-012345/report.md');
    bench.folder.written.set('notes-012345/results/a.txt.md', 'mine');
    await bench.run();
    expect(bench.folder.written.get('notes-012345/report.md')).toBe(await bench.report());
    expect(bench.folder.written.get('notes-012345/results/a.txt.md')).toBe('mine');
    expect(await bench.task()).toMatchObject({ output: 'written' });
  });

  it('takes what a task of a time before the ledger wrote for ours', async () => {
    const bench = new EngineBench();
    bench.folder.put('a.txt', 'a text');
    bench.folder.written.set('notes-012345/report.md', 'an earlier report');
    await bench.createTask();
    const row = await bench.task();
    await bench.store.commit({
      ...mergeDrafts([{ task: { outputPath: 'talaria/notes-012345' } }]),
      taskId: row.id,
      epoch: row.epoch,
      atMs: 0,
    });
    await bench.run();
    expect(bench.folder.written.get('notes-012345/report.md')).toBe(await bench.report());
  });
});

describe('a report that somebody else has edited', () => {
  const REPORT = 'notes-012345/report.md';

  async function edited() {
    const bench = new EngineBench();
    bench.folder.put('a.txt', 'a text');
    await bench.createTask();
    await bench.run();
    bench.folder.written.set(REPORT, 'mine');
    bench.folder.put('a.txt', 'another text');
    await bench.run();
    const asked = await bench.store.effectsInState(TASK, 'contested', 9);
    if (!asked.ok) throw new Error(asked.failure.code);
    const answer = async (said: EffectAnswer) => {
      const taken = await bench.store.own(TASK, 0);
      if (!taken.ok) throw new Error(taken.failure.code);
      const owned = new OwnedTask(bench.ports, taken.value, new AbortController().signal, new Wakeup());
      await answerEffects(owned, { questions: asked.value, answer: said });
      expect(owned.row.output).toBe('due');
      await writeOutput(bench.ports, owned, await bench.report());
    };
    return { bench, asked: asked.value, answer };
  }

  it('is left alone, and asked about; everything else is written', async () => {
    const { bench, asked } = await edited();
    expect(asked.map(({ target }) => target)).toEqual([REPORT]);
    expect(bench.folder.written.get(REPORT)).toBe('mine');
    expect(await bench.task()).toMatchObject({ status: 'completed', output: 'waiting' });
    expect(bench.folder.written.get('notes-012345/results/a.txt.md')).toContain('another text');
    const lines = await bench.store.activity(TASK, 3);
    expect(lines.ok && lines.value.map(({ what }) => what)).toEqual(['output_waits', 'foreign_edit', 'completed']);
    expect(lines.ok && lines.value[1]?.details).toMatchObject({ path: `talaria/${REPORT}` });
  });

  it('is written over when the person says so', async () => {
    const { bench, answer } = await edited();
    await answer('overwrite');
    expect(bench.folder.written.get(REPORT)).toBe(await bench.report());
    expect(await bench.task()).toMatchObject({ output: 'written' });
  });

  it('stays when the person says so, and is not asked about again', async () => {
    const { bench, answer } = await edited();
    await answer('keep');
    await bench.run();
    expect(bench.folder.written.get(REPORT)).toBe('mine');
    expect(await bench.task()).toMatchObject({ output: 'written' });
  });

  it('is asked about once more when it was edited between the question and the answer', async () => {
    const { bench, answer } = await edited();
    bench.folder.written.set(REPORT, 'mine, and better');
    await answer('overwrite');
    expect(bench.folder.written.get(REPORT)).toBe('mine, and better');
    expect(await bench.task()).toMatchObject({ output: 'waiting' });
  });

  it('needs no answer any more once the edit is undone', async () => {
    const { bench } = await edited();
    bench.folder.written.delete(REPORT);
    await bench.run();
    expect(bench.folder.written.get(REPORT)).toBe(await bench.report());
    expect(await bench.task()).toMatchObject({ output: 'written' });
  });
});
