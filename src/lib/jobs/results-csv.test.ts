import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { csvCell } from './results-csv';

describe('SEC-04: cells that no spreadsheet runs', () => {
  it.each([
    '=1+2',
    '@SUM(1)',
    '+44 20',
    '\t=cmd',
    '\n=1',
    '\r=1',
    ' =1',
    '\u00a0=1',
    '＝1+1',
    '-2+3',
    '=HYPERLINK("x")',
  ])('%j is made inert', (cell) => {
    expect(csvCell(cell).replace(/^"/, '')).toMatch(/^'/);
  });

  it.each(['-5', '-5.25', '1e6', '-3e-4', '12%', '0'])('%s stays a number', (cell) => {
    expect(csvCell(cell)).toBe(cell);
  });

  it('leaves plain words alone', () => {
    expect(csvCell('普通')).toBe('普通');
    expect(csvCell('a-b')).toBe('a-b');
  });

  it('comes back whole through a reader, whatever is in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (a, b) => {
        const line = `${csvCell(a)},${csvCell(b)},end\r\n`;
        const [row] = Papa.parse<string[]>(line, { delimiter: ',', newline: '\r\n' }).data;
        expect(row?.map((cell) => cell.replace(/^'/, ''))).toEqual([a, b, 'end'].map((cell) => cell.replace(/^'/, '')));
      }),
    );
  });
});
