import { hasHeader, parseTable } from './table';

/** Names of columns repeated for each record may make a text so much longer, and no more. */
const MAX_GROWTH = 16;

/**
 * Each record as a paragraph of `header: value` lines: a part of a long table still says what its numbers are, and
 * a line break inside a cell cannot pass for a new record. Empty cells say nothing and are left out. Where
 * the names are so long that they would drown the cells, records are rows as they are.
 */
export function renderTable(text: string, delimiter?: string): string {
  const records = parseTable(text, delimiter);
  const [header, ...rows] = records ?? [];
  if (records === null || header === undefined) return text;
  const namesLength = header.reduce((sum, name) => sum + name.length, 0);
  const isDrowned = namesLength * rows.length > text.length * MAX_GROWTH;
  if (header.length < 2 || isDrowned || !hasHeader(records)) return records.map(renderRow).join('\n');
  return rows.map((row) => renderRecord(header, row)).join('\n\n');
}

function renderRecord(header: readonly string[], row: readonly string[]): string {
  return row
    .map((cell, index) => ({ name: header[index]?.trim() ?? `(${index + 1})`, cell }))
    .filter(({ cell }) => cell.trim() !== '')
    .map(({ name, cell }) => `${name}: ${indented(cell)}`)
    .join('\n');
}

function renderRow(row: readonly string[]): string {
  return row.map(indented).join(' | ');
}

function indented(cell: string): string {
  return cell.trim().replace(/\n\s*/g, '\n  ');
}
