import { afterEach, expect, test } from 'vitest';
import { makeFolder, removeFolder } from '../support/folder.mjs';
import { written } from './written.mjs';

const HEAD = 'file,state,reused,reason,result,attempts,encoding,truncated,finished';
const ROW_A = 'a.txt,done,no,,one,1,utf-8,no,2026-01-01T00:00:00.000Z';
const REPORT = ['# alpha', '1 of 1 files · Model: m', '', '## Overview', 'Sum', '| [a\\.txt](r) | done |  |'];

const made: string[] = [];
afterEach(() => made.splice(0).forEach(removeFolder));

function output(report: readonly string[], rows: readonly string[], results: Record<string, string> = {}) {
  const dir = 'talaria/alpha-123456';
  const folder = makeFolder({
    [`${dir}/report.md`]: report.join('\n'),
    [`${dir}/results.csv`]: `\uFEFF${[HEAD, ...rows].join('\r\n')}\r\n`,
    [`${dir}/results/a.txt.md`]: '# a.txt',
    ...Object.fromEntries(Object.entries(results).map(([path, text]) => [`${dir}/results/${path}`, text])),
  });
  made.push(folder);
  return written(folder, ['a.txt']);
}

test('times, tries, reuse and files that are gone make no difference', () => {
  const undisturbed = output(REPORT, [ROW_A]);
  const disturbed = output(
    [
      ...REPORT.slice(0, 1),
      '1 of 2 files · 1 skipped · Model: m',
      ...REPORT.slice(2).map((line) => line.replace('| done |', '| done \\(answer reused\\) |')),
      '| b\\.txt | skipped | no longer in the folder |',
    ],
    ['a.txt,done,yes,,one,3,utf-8,no,2026-02-02T00:00:00.000Z', 'b.txt,skipped,no,file_gone,,0,,no,'],
  );
  expect(disturbed).toEqual(undisturbed);
  expect(undisturbed).toMatchObject({ folders: 1, rows: 1, leftovers: 0, results: { 'a.txt.md': '# a.txt' } });
});

test('words, states, results and rows make one', () => {
  const sound = output(REPORT, [ROW_A]);
  expect(output([...REPORT, 'More'], [ROW_A]).report).not.toBe(sound.report);
  expect(output(REPORT, [ROW_A.replace('one', 'two')]).table).not.toEqual(sound.table);
  expect(output(REPORT, [ROW_A.replace('done', 'failed')]).table).not.toEqual(sound.table);
  expect(output(REPORT, [ROW_A, ROW_A]).rows).toBe(2);
  expect(output(REPORT, [ROW_A], { 'a (2).txt.md': 'again' }).results).not.toEqual(sound.results);
  // A file that the folder still has is not gone.
  expect(output(REPORT, ['a.txt,skipped,no,file_gone,,0,,no,']).table).not.toEqual(sound.table);
});

test('half files of a kill are counted, and are nobody’s result', () => {
  const half = output(REPORT, [ROW_A], { 'a.txt.md.crswap': 'ha' });
  expect(half.leftovers).toBe(1);
  expect(Object.keys(half.results)).toEqual(['a.txt.md']);
});
