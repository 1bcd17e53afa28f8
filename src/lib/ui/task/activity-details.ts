import type { ActivityRow } from '../../core/activity';
import type { Formats } from '../../i18n/format';

export interface ShownDetails {
  readonly path: string | null;
  /** `1,200 files · 31 reused`; empty when there is nothing to count. */
  readonly numbers: string;
}

/** That nothing was lost is worth saying. */
const TOLD_ALSO_WHEN_NONE = 'lost';

/** The details of a line for reading: the numbers that have a word, zeros left out, and the path it is about. */
export function activityDetails(
  row: Pick<ActivityRow, 'details'>,
  words: Readonly<Record<string, (count: number, shown: string) => string>>,
  formats: Formats,
): ShownDetails {
  const path = row.details['path'];
  const numbers = Object.entries(row.details).flatMap(([name, value]) => {
    const word = words[name];
    return typeof value === 'number' && (value !== 0 || name === TOLD_ALSO_WHEN_NONE) && word !== undefined
      ? [word(value, formats.number(value))]
      : [];
  });
  return { path: path === undefined ? null : String(path), numbers: numbers.join(' · ') };
}
