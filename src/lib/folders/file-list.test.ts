import { expect, test } from 'vitest';
import { createFileFilter } from './file-filter';
import { FileList } from './file-list';
import type { SurveyItem } from './survey';

const list = (...paths: string[]) => new FileList(paths.map((path) => ({ path, sizeBytes: 1, modifiedMs: 2 })));

async function survey(files: FileList, exclude: string[] = []): Promise<SurveyItem[]> {
  const items: SurveyItem[] = [];
  const filter = createFileFilter({ include: [], exclude });
  for await (const batch of files.survey(new AbortController().signal, filter)) items.push(...batch);
  return items;
}

test('a folder that is left out is told once, at its top', async () => {
  const files = list('.git/a', '.git/b/c', 'x/.git/d', 'talaria/r.md', 'out/a.txt', 'out/b/c.txt', 'a.txt', 'x/b.log');
  expect(await survey(files, ['out/', '*.log'])).toEqual([
    { found: 'ignored', path: '.git/', reason: 'hidden' },
    { found: 'ignored', path: 'x/.git/', reason: 'hidden' },
    { found: 'ignored', path: 'talaria/', reason: 'own_output' },
    { found: 'ignored', path: 'out/', reason: 'excluded' },
    { found: 'file', entry: { path: 'a.txt', sizeBytes: 1, modifiedMs: 2 } },
    { found: 'ignored', path: 'x/b.log', reason: 'excluded' },
  ]);
});

test('many files come in batches, each once', async () => {
  const paths = Array.from({ length: 1000 }, (_, index) => `d${index % 7}/f${index}.txt`);
  const sizes: number[] = [];
  for await (const batch of list(...paths).survey(new AbortController().signal, createFileFilter())) {
    sizes.push(batch.length);
  }
  expect(sizes).toEqual([256, 256, 256, 232]);
});
