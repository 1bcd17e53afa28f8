import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { outputSegments } from './output-path';
import { resultPath, safeName } from './safe-name';

const bytes = (text: string) => new TextEncoder().encode(text).length;

describe('safeName', () => {
  test.each(['ok.txt', '空 格.txt', 'mañana.txt', '-rf.txt', '#hash.txt', '100%.txt', "a&b;c'`$(x).txt", 'दस्तावेज़.txt'])(
    '%s stays as it is',
    (name) => expect(safeName(name)).toBe(name),
  );

  test.each([
    'a:b.txt',
    'a?b',
    'a\\b',
    'trail.',
    '.hidden',
    'trail ',
    ' lead',
    '\u3000lead',
    'con',
    'CON.txt',
    'lpt1.txt',
    'x.lnk',
    'x.url',
    'draft~',
    '~$lock.docx',
    'a\u0001b',
    'zw\u200bsp',
    'rtl\u202ex',
    'emoji-👩‍💻.txt',
    'lone\ud800.txt',
    'non\ufdd0.txt',
    'n'.repeat(300),
    '中'.repeat(85),
    '',
    '...',
  ])('%j becomes another name, legal and with a hash', (name) => {
    const safe = safeName(name);
    expect(safe).toMatch(/-[0-9a-z]{10}$/);
    expect(safeName(safe)).toBe(safe);
    expect(bytes(safe)).toBeLessThanOrEqual(180);
  });

  test('names that lose what tells them apart stay apart', () => {
    const names = ['a:b', 'a?b', 'a*b', 'a_b', 'A:b', 'a:b ', `${'n'.repeat(299)}1`, `${'n'.repeat(299)}2`];
    expect(new Set(names.map((name) => safeName(name).toLowerCase())).size).toBe(names.length);
  });

  test('a long name is never cut inside a character', () => {
    expect(safeName('👍'.repeat(100))).toMatch(/^(?:👍)+-[0-9a-z]{10}$/u);
  });

  test('whatever the name, the result is one legal segment, stable, and its own safe name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const safe = safeName(name);
        expect(outputSegments(safe)).toEqual({ ok: true, value: [safe] });
        expect(safe).not.toMatch(/["*/:<>?\\|~]|^[\s.]+$|[\s.]$|^\s/u);
        expect(safeName(safe)).toBe(safe);
        expect(safeName(name)).toBe(safe);
      }),
    );
  });
});

describe('resultPath', () => {
  test('keeps folders and the whole name, so equal base names do not meet (RES-20)', () => {
    const tree = ['2024/report.txt', '2025/report.txt', 'report.txt', 'report.md'];
    expect(tree.map((path) => resultPath(path, '.md'))).toEqual([
      '2024/report.txt.md',
      '2025/report.txt.md',
      'report.txt.md',
      'report.md.md',
    ]);
  });

  test('a folder named like the result of a file beside it gives way', () => {
    expect(resultPath('notes', '.md')).toBe('notes.md');
    expect(resultPath('notes.md/a.txt', '.md')).toMatch(/^notes\.md-[0-9a-z]{10}\/a\.txt\.md$/);
  });

  test('no two paths of a tree share a result, and none is a folder of another', () => {
    const name = fc.constantFrom('a', 'a.md', 'a:', 'a?', 'a ', '.', 'con', 'b.MD');
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((segments) => segments.join('/'));
    fc.assert(
      fc.property(fc.uniqueArray(path), (paths) => {
        const files = paths.filter((each) => !paths.some((other) => other.startsWith(`${each}/`)));
        const results = files.map((each) => resultPath(each, '.md'));
        expect(new Set(results).size).toBe(results.length);
        for (const result of results) expect(results.some((other) => other.startsWith(`${result}/`))).toBe(false);
      }),
    );
  });
});
