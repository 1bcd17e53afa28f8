import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFileFilter } from './file-filter';

const including = (...include: string[]) => createFileFilter({ include, exclude: [] });
const excluding = (...exclude: string[]) => createFileFilter({ include: [], exclude });

describe('include', () => {
  test('nothing lets everything in', () => {
    expect(createFileFilter().verdict('a/b.txt')).toBeNull();
    expect(including('', '  ').verdict('a/b.txt')).toBeNull();
  });

  test.each([
    ['*.txt', 'a.txt', true],
    ['*.txt', 'deep/down/a.txt', true],
    ['*.txt', 'A.TXT', true],
    ['*.TXT', 'a.txt', true],
    ['*.txt', 'a.txt.md', false],
    ['*.{txt,md}', 'x/a.md', true],
    ['notes/*.txt', 'notes/a.txt', true],
    ['notes/*.txt', 'notes/deep/a.txt', false],
    ['notes/*.txt', 'x/notes/a.txt', false],
    ['notes/**', 'notes/deep/a.txt', true],
    ['**/notes/**', 'x/notes/a.txt', true],
    ['/a.txt', 'a.txt', true],
    ['/a.txt', 'x/a.txt', false],
    ['./notes/*', 'notes/a.txt', true],
    ['访谈-*.txt', '采访/访谈-01.txt', true],
    ['ma\u00f1ana.txt', 'man\u0303ana.txt', true],
    ['interviews/', 'interviews/2024/a.txt', true],
    ['interviews/', 'old/interviews/a.txt', true],
    ['interviews/', 'interviews.txt', false],
    ['day-[12].txt', 'day-2.txt', true],
    ['day-?.txt', 'day-7.txt', true],
  ])('%s on %s: %s', (pattern, path, isIn) => {
    expect(including(pattern).verdict(path)).toBe(isIn ? null : 'not_included');
  });

  test('a pattern after ! is one to exclude, alone or beside others', () => {
    expect(including('!*.log').verdict('a.log')).toBe('excluded');
    expect(including('!*.log').verdict('a.txt')).toBeNull();
    expect(including('notes/**', '!*.log').verdict('notes/a.log')).toBe('excluded');
    expect(including('!(a|b).txt').verdict('c.txt')).toBeNull();
    expect(including('!(a|b).txt').verdict('a.txt')).toBe('not_included');
  });
});

describe('exclude', () => {
  test('wins over include, and rules by name win over both', () => {
    const filter = createFileFilter({ include: ['*.txt'], exclude: ['draft-*'] });
    expect(filter.verdict('a.txt')).toBeNull();
    expect(filter.verdict('draft-1.txt')).toBe('excluded');
    expect(filter.verdict('a.md')).toBe('not_included');
    expect(filter.verdict('.hidden.txt')).toBe('hidden');
  });

  test('a folder is not entered when all below it is left out', () => {
    expect(excluding('node_modules/').folderVerdict('web/node_modules')).toBe('excluded');
    expect(excluding('build/**').folderVerdict('build')).toBe('excluded');
    expect(excluding('build/**').folderVerdict('x/build')).toBeNull();
    expect(excluding('build/*').folderVerdict('build')).toBeNull();
    expect(excluding('*.log').folderVerdict('x.log')).toBeNull();
  });

  test('a folder is entered when a part of a pattern says what not to match', () => {
    const filter = excluding('a/**/!(b)/**');
    expect(filter.verdict('a/b')).toBeNull();
    expect(filter.folderVerdict('a')).toBeNull();
  });

  test('a folder that is not entered has no file that would be let in', () => {
    const segment = fc.constantFrom('a', 'b', 'A', 'c.txt', '**', '*', '?', '{a,b}', '!(a)');
    const pattern = fc
      .tuple(
        fc.constantFrom('', '/', './'),
        fc.array(segment, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('', '/', '/**'),
      )
      .map(([start, segments, end]) => start + segments.join('/') + end);
    const name = fc.constantFrom('a', 'b', 'A', 'c.txt');
    const folder = fc.array(name, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.array(pattern, { maxLength: 3 }), folder, folder, (exclude, around, below) => {
        const filter = excluding(...exclude);
        fc.pre(filter.folderVerdict(around.join('/')) !== null);
        expect(filter.verdict([...around, ...below].join('/'))).toBe('excluded');
      }),
    );
  });
});

describe('bad patterns', () => {
  test.each(['[abc', 'a{b', '(', 'x'.repeat(70_000), '[z-a]'])('%.10s matches nothing and is told', (pattern) => {
    const filter = including(pattern);
    expect(filter.badPatterns).toEqual([pattern]);
    expect(filter.verdict(pattern)).toBe('not_included');
    expect(excluding(pattern).verdict('a.txt')).toBeNull();
  });

  test('good ones beside it go on working', () => {
    const filter = including('[abc', '*.txt');
    expect(filter.badPatterns).toEqual(['[abc']);
    expect(filter.verdict('a.txt')).toBeNull();
  });

  test('nothing that can be typed makes it throw', () => {
    const typed = fc.string({ unit: fc.constantFrom(...Array.from('ab/.*?![](){}|+@\\^$,-~ 中')), maxLength: 12 });
    fc.assert(
      fc.property(fc.array(typed), fc.array(typed), typed, (include, exclude, path) => {
        const filter = createFileFilter({ include, exclude });
        filter.verdict(path);
        filter.folderVerdict(path);
        for (const bad of filter.badPatterns)
          expect([...include.map((p) => p.replace('!', '')), ...include, ...exclude]).toContain(bad);
      }),
    );
  });
});
