import { waitMs, WAIT } from './server-wordings';

/**
 * How long the server asked us to wait, in milliseconds: from `retry-after-ms`, `Retry-After` (seconds or a date), a
 * field of the body, or its words. Undefined when it did not say, or said nothing sensible (zero, a time gone by):
 * then our own backoff holds. Cross-origin pages see the headers only when the server exposes them.
 */
export function retryAfterMs(
  told: { headers: Headers | null; waitSeconds: number | null; bodyText: string },
  nowMs: number,
): number | undefined {
  const candidates = [
    numeric(told.headers?.get('retry-after-ms')),
    header(told.headers?.get('retry-after'), nowMs),
    told.waitSeconds === null ? null : told.waitSeconds * 1000,
    words(told.bodyText),
  ];
  const sensible = candidates.find((each) => each !== null && Number.isFinite(each) && each > 0);
  return sensible == null ? undefined : Math.ceil(sensible);
}

function numeric(value: string | null | undefined): number | null {
  return value == null || !/^\s*\d+(\.\d+)?\s*$/.test(value) ? null : Number(value);
}

function header(value: string | null | undefined, nowMs: number): number | null {
  if (value == null) return null;
  const seconds = numeric(value);
  if (seconds !== null) return seconds * 1000;
  const atMs = /[a-z]{3}/i.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(atMs) ? null : atMs - nowMs;
}

/** Runs of white space shortened first: the pattern would try every way to share them out. */
const WORDS_READ = 8_192;

function words(bodyText: string): number | null {
  const told = WAIT.exec(bodyText.slice(0, WORDS_READ).replace(/\s+/g, ' '))?.[1];
  return told === undefined ? null : waitMs(told);
}
