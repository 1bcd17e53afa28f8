import { MAX_CONCURRENCY } from '../../core/task';

/** What a person chose: a number of requests at once, or to leave it to what the server bears. */
export type AskedConcurrency = number | 'auto';

export interface ConcurrencyRange {
  readonly start: number;
  readonly most: number;
}

/** Servers that do not say how many they serve at once: begun low, and not grown without end. */
const AUTO_START = 4;
const AUTO_MOST = 32;

/**
 * Where a limit begins and how far it may grow. A number that a person chose is begun with at once. `auto` is the slots
 * of a server that tells of them: more would only wait inside it. @default 4 to 32 where it tells of none
 */
export function concurrencyRange(asked: AskedConcurrency, slots: number | null): ConcurrencyRange {
  if (asked !== 'auto') {
    const most = wholeAtLeastOne(asked);
    return { start: most, most };
  }
  if (slots === null || !(slots >= 1)) return { start: AUTO_START, most: AUTO_MOST };
  const most = Math.min(MAX_CONCURRENCY, wholeAtLeastOne(slots));
  return { start: most, most };
}

export function wholeAtLeastOne(value: number): number {
  return Number.isFinite(value) ? Math.max(1, Math.floor(value)) : 1;
}
