import { expect, it } from 'vitest';
import { failure } from '../core/failure';
import { fail } from '../core/result';
import { EngineBench } from '../testing/engine-bench';

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
