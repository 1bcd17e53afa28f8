import Papa from 'papaparse';

/** Records of delimited text, header included; null when its quoting is broken, so that no row is swallowed. */
export function parseTable(text: string, delimiter?: string): readonly (readonly string[])[] | null {
  const parsed = Papa.parse<string[]>(text, { newline: '\n', skipEmptyLines: 'greedy', delimiter: delimiter ?? '' });
  return parsed.errors.some((error) => error.type === 'Quotes') ? null : parsed.data;
}

/** The first record names the columns when its cells are all there, all different, and no numbers. */
export function hasHeader(records: readonly (readonly string[])[]): boolean {
  const [first] = records;
  if (first === undefined || records.length < 2) return false;
  const names = first.map((cell) => cell.trim());
  return new Set(names).size === names.length && names.every((name) => name !== '' && !/^[\d\s.,:/%+-]+$/.test(name));
}
