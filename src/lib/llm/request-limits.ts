import type { EarlierTimeouts, RequestClocks } from '../core/model';

/** The limits of one try of one request. */
export interface RequestLimits extends RequestClocks {
  /** Added to `wakeMs` before the first token: a prompt that is being read shows no life. */
  readonly wakeReadingMs: number;
}

/** The limits where an answer comes at its end only: before that nothing is late but the whole. */
export function atOnce(clocks: RequestClocks): RequestClocks {
  return { ...clocks, connectMs: clocks.wholeMs, firstTokenMs: clocks.wholeMs };
}

/**
 * The limits of a try: `readingMs` is what the prompt should take to be read. No try of a request is given the limit
 * that an earlier one ran out of: each such time doubles it. The whole request bounds the others.
 */
export function limitsFor(clocks: RequestClocks, readingMs: number, earlier: EarlierTimeouts): RequestLimits {
  const wholeMs = clocks.wholeMs * 2 ** earlier.whole;
  const allowedMs = readingMs * clocks.readingMargin;
  const scaled = (limitMs: number) => Math.min(wholeMs, (limitMs + allowedMs) * 2 ** earlier.firstToken);
  return {
    ...clocks,
    connectMs: scaled(clocks.connectMs),
    firstTokenMs: scaled(clocks.firstTokenMs),
    wholeMs,
    wakeReadingMs: allowedMs,
  };
}
