import { describe, expect, it } from 'vitest';
import { CODE_EXTENSIONS } from './code-extensions';
import { extensionOf, mayBeReadable, readerByExtension } from './formats';
import { unsupportedKind } from './unsupported-kinds';

describe('extensionOf', () => {
  it.each([
    ['a/b/Report.TXT', 'txt'],
    ['a.b/Makefile', ''],
    ['.gitignore', ''],
    ['archive.tar.gz', 'gz'],
    ['v1.2 notes', ''],
    ['数据.csv', 'csv'],
  ])('%s', (path, extension) => {
    expect(extensionOf(path)).toBe(extension);
  });
});

describe('mayBeReadable', () => {
  it.each(['a.txt', 'a/LICENSE', 'odd.name', 'x.ts', '会议.md'])('%s may be', (path) => {
    expect(mayBeReadable(path)).toBe(true);
  });

  it.each(['a.pdf', 'b/c.DOCX', 'photo.heic', 'song.flac', 'film.mkv', 'all.7z', 'run.exe'])('%s is not', (path) => {
    expect(mayBeReadable(path)).toBe(false);
  });
});

it('no extension is both read and refused', () => {
  for (const extension of [
    ...CODE_EXTENSIONS,
    'txt',
    'md',
    'csv',
    'tsv',
    'json',
    'jsonl',
    'html',
    'xml',
    'svg',
    'srt',
  ]) {
    expect([extension, readerByExtension(extension) !== null]).toEqual([extension, true]);
    expect([extension, unsupportedKind(extension)]).toEqual([extension, null]);
  }
});
