import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { outputSegments, slug } from './output-path';

interface PathCase {
  readonly path: string;
  readonly allowed: boolean | string;
}

const CASES = JSON.parse(
  readFileSync(new URL('../../../tests/cases/report/sec05-paths.json', import.meta.url), 'utf8'),
) as readonly PathCase[];

describe('outputSegments', () => {
  test.each(CASES)('SEC-05: $path allowed: $allowed', ({ path, allowed }) => {
    const result = outputSegments(path);
    expect(result.ok).toBe(allowed === true);
    if (!result.ok) expect(result.failure.code).toBe('path_refused');
  });

  test.each(['a//b', 'a/', './a', 'a/..', 'c:/x', 'C:x', 'a\\..\\b', 'a\u0000b', 'a\nb', 'a\u007f', '..'])(
    'refuses %j',
    (path) => {
      expect(outputSegments(path).ok).toBe(false);
    },
  );

  test.each([['..a.md'], ['a..b/c...'], ['notes (1).txt.md'], ['资料/第一章.md']])('takes %j as it is', (path) => {
    expect(outputSegments(path)).toEqual({ ok: true, value: path.split('/') });
  });

  test('seed defect 26: whatever is accepted stays inside', () => {
    const piece = fc.oneof(fc.constantFrom('..', '.', '', 'a', '~', 'C:'), fc.string({ unit: 'binary', maxLength: 4 }));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const result = outputSegments(pieces.join('/'));
        if (!result.ok) return;
        const url = new URL(result.value.map(encodeURIComponent).join('/'), 'http://root/out/');
        expect(url.pathname.startsWith('/out/')).toBe(true);
        expect(result.value.every((segment) => segment !== '' && segment !== '.' && segment !== '..')).toBe(true);
      }),
    );
  });
});

describe('slug', () => {
  test.each([
    ['Quarterly Review: Q3/2026', 'quarterly-review-q3-2026'],
    ['访谈 摘要', '访谈-摘要'],
    ['../../etc', 'etc'],
    ['~backup~', 'backup'],
    ['a\u202Egnp.exe', 'a-gnp-exe'],
    ['हिन्दी', 'हिन्दी'],
    ['— * —', 'task'],
    ['', 'task'],
  ])('makes %j into %j', (title, expected) => {
    expect(slug(title, 'task')).toBe(expected);
  });

  test('is always one legal segment, whatever the title', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (title) => {
        const made = slug(title, 'task');
        expect(made).toMatch(/^[\p{L}\p{M}\p{N}]+(-[\p{L}\p{M}\p{N}]+)*$/u);
        expect(Array.from(made).length).toBeLessThanOrEqual(48);
        expect(outputSegments(made).ok).toBe(true);
      }),
    );
  });

  test('is stable: a slug of a slug is itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (title) => {
        const once = slug(title, 'task');
        expect(slug(once, 'task')).toBe(once);
      }),
    );
  });
});
