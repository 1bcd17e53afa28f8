import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Row {
  readonly defect: number;
  readonly tests: readonly string[];
}

const page = readFileSync('docs/from-the-chapter.md', 'utf8');
const rows = page
  .slice(page.indexOf("## What is wrong in the chapter's code"))
  .split('\n')
  .flatMap((line): Row[] => {
    const [, number = '', , here = ''] = line.split('|').map((cell) => cell.trim());
    const tests = [...here.matchAll(/`([^`]+\.(?:test|spec|conformance)\.ts)`/g)].map(([, path = '']) =>
      path.startsWith('tests/') ? path : `src/lib/${path}`,
    );
    return /^\d+$/.test(number) && tests.length > 0 ? [{ defect: Number(number), tests }] : [];
  });

describe('docs/from-the-chapter.md', () => {
  it('names tests for the defects that have a counterpart', () => {
    expect(rows.map(({ defect }) => defect)).toEqual([
      ...Array.from({ length: 27 }, (_, index) => index + 1),
      ...[32, 33],
    ]);
  });

  it.each(rows)('seed defect $defect: its tests are there, and one of them says its number', ({ defect, tests }) => {
    expect(tests.filter((path) => !existsSync(path))).toEqual([]);
    const titled = new RegExp(`\\bseed defect ${String(defect)}\\b`);
    expect(tests.filter((path) => titled.test(readFileSync(path, 'utf8')))).not.toEqual([]);
  });
});
