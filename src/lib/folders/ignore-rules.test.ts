import { expect, test } from 'vitest';
import names from '../../../tests/cases/names/names.json';
import { ignoredFile, ignoredFolder } from './ignore-rules';

test.each([
  ['notes.txt', null],
  ['a/b/c.md', null],
  ['node_modules/x/readme.md', null],
  ['a~b.txt', null],
  ['template.txt', null],
  ['.env', 'hidden'],
  ['.git/config', 'hidden'],
  ['a/.cache/b.txt', 'hidden'],
  ['.DS_Store', 'system'],
  ['photos/Thumbs.db', 'system'],
  ['DESKTOP.INI', 'system'],
  ['__MACOSX/a.txt', 'system'],
  ['$RECYCLE.BIN/a.txt', 'system'],
  ['System Volume Information/x', 'system'],
  ['~$report.docx', 'lock'],
  ['a/.~lock.report.odt#', 'lock'],
  ['draft.txt.crswap', 'swap'],
  ['draft.txt~', 'swap'],
  ['.draft.txt.swp', 'swap'],
  ['x.tmp', 'swap'],
  ['movie.part', 'swap'],
  ['movie.CRDOWNLOAD', 'swap'],
  ['talaria/notes/report.md', 'own_output'],
  ['Talaria/notes/report.md', 'own_output'],
  ['sub/talaria/report.md', null],
  ['talaria', null],
  ['talaria.txt', null],
] as const)('%s: %s', (path, reason) => expect(ignoredFile(path)).toBe(reason));

test('a folder is left out with all below', () => {
  expect(ignoredFolder('.git')).toBe('hidden');
  expect(ignoredFolder('a/.git/hooks')).toBe('hidden');
  expect(ignoredFolder('talaria')).toBe('own_output');
  expect(ignoredFolder('a/talaria')).toBeNull();
  expect(ignoredFolder('draft~')).toBeNull();
});

test('FSA-08: of the odd names only those of locks, swaps and systems are left out', () => {
  expect(
    Object.fromEntries(names.map((name) => [name, ignoredFile(name)]).filter(([, reason]) => reason !== null)),
  ).toEqual({
    '.hidden.txt': 'hidden',
    '~$lock.docx': 'lock',
    '.DS_Store': 'system',
    'Thumbs.db': 'system',
    'draft.txt.crswap': 'swap',
    'draft.txt~': 'swap',
  });
});
