import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { snapshotPaths } from './snapshot-paths';

const pathsOf = (folder: string, ...files: readonly (readonly [path: string, name: string])[]) =>
  snapshotPaths(
    folder,
    files.map(([path, name]) => ({ path, name })),
  );

describe('FSA-10: paths of files that a page was given', () => {
  test('the folder’s own name is no part of them', () => {
    expect(pathsOf('notes', ['notes/a.txt', 'a.txt'], ['notes/sub/a.txt', 'a.txt'])).toEqual(['a.txt', 'sub/a.txt']);
    expect(pathsOf('notes', ['/notes/a.txt', 'a.txt'])).toEqual(['a.txt']);
  });

  test('a subfolder of the same name stays', () => {
    expect(pathsOf('notes', ['notes/notes/a.txt', 'a.txt'], ['notes/b.txt', 'b.txt'])).toEqual([
      'notes/a.txt',
      'b.txt',
    ]);
  });

  test('nothing is taken off when not all files are inside', () => {
    expect(pathsOf('notes', ['notes/a.txt', 'a.txt'], ['', 'b.txt'])).toEqual(['notes/a.txt', 'b.txt']);
  });

  test('files without a path go by their names, and equal ones do not collide', () => {
    expect(pathsOf('x', ['', 'a.txt'], ['', 'a.txt'], ['', 'a.txt'], ['', 'a (2).txt'])).toEqual([
      'a.txt',
      'a (2).txt',
      'a (3).txt',
      'a (2) (2).txt',
    ]);
    expect(pathsOf('x', ['', '.env'], ['', '.env'], ['', 'README'], ['', 'README'])).toEqual([
      '.env',
      '.env (2)',
      'README',
      'README (2)',
    ]);
  });

  test('never empty, never leading out, no two equal', () => {
    const segment = fc.constantFrom('', '.', '..', 'a', 'b.txt', '中 文', 'x');
    const path = fc.array(segment, { maxLength: 4 }).map((segments) => segments.join('/'));
    const name = fc.constantFrom('', 'a', 'b.txt');
    fc.assert(
      fc.property(fc.array(fc.record({ path, name })), (files) => {
        const paths = snapshotPaths('x', files);
        expect(paths).toHaveLength(files.length);
        expect(new Set(paths).size).toBe(files.length);
        for (const each of paths) expect(each).toMatch(/^(?!\.{1,2}(?:\/|$))[^/]+(?:\/(?!\.{1,2}(?:\/|$))[^/]+)*$/);
      }),
    );
  });
});
