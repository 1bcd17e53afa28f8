import { describe, expect, it } from 'vitest';
import { EngineBench } from '../testing/engine-bench';
import { LossyStore, type Loss } from '../testing/lossy-store';
import { batchOutput } from './batch-output';

async function outputAfter(loss: Loss, path: string): Promise<Map<string, string>> {
  const store = new LossyStore();
  const bench = new EngineBench({ store });
  for (let n = 0; n < 4; n += 1) bench.folder.put(`f_${String(n)}.txt`, `text number ${String(n)}`);
  await bench.createTask({ concurrency: 2 });
  await bench.run();
  const key = (await bench.files()).find(({ file }) => file?.path === path)?.resultKey;
  if (key) store.lost.set(key, loss);
  const written = new Map<string, string>();
  for await (const file of batchOutput(store, await bench.task(), 'The report.')) written.set(file.path, file.content);
  return written;
}

describe('the output of a task with an answer that is lost', () => {
  it.each(['gone', 'damaged'] as const)('%s: every other file is written, that one is left as it was', async (loss) => {
    const written = await outputAfter(loss, 'f_2.txt');
    expect([...written.keys()]).toEqual([
      'report.md',
      'results/f_0.txt.md',
      'results/f_1.txt.md',
      'results/f_3.txt.md',
      'results.csv',
    ]);
    expect(written.get('results.csv')?.match(/f_\d/g)).toEqual(['f_0', 'f_1', 'f_2', 'f_3']);
  });
});
