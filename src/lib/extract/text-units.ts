/** From the kindest place to cut a text to the last resort. */
export const LEVELS = ['paragraph', 'line', 'sentence', 'space', 'word', 'grapheme'] as const;
export type Level = (typeof LEVELS)[number];

/**
 * Segmenters slow down with the square of their input in today's engines, so they see a window at a time; the last
 * segment of a window may be cut and is looked at again in the next.
 */
const WINDOW_UNITS = 2_000;
/** A fixed locale: the same text is cut at the same places on every device. */
const SEGMENTERS = {
  sentence: new Intl.Segmenter('en', { granularity: 'sentence' }),
  word: new Intl.Segmenter('en', { granularity: 'word' }),
  grapheme: new Intl.Segmenter('en', { granularity: 'grapheme' }),
};

/** Units in order; joined they are the text. */
export function unitsOf(text: string, level: Level): Iterable<string> {
  switch (level) {
    case 'paragraph':
      return cutAfter(text, /\n(?:[^\S\n]*\n)+/g);
    case 'line':
      return cutAfter(text, /\n/g);
    case 'space':
      return cutAfter(text, /\s+/g);
    case 'sentence':
    case 'word':
    case 'grapheme':
      return segmentsOf(text, level);
  }
}

function* cutAfter(text: string, separator: RegExp): Generator<string> {
  let start = 0;
  for (const match of text.matchAll(separator)) {
    const end = match.index + match[0].length;
    yield text.slice(start, end);
    start = end;
  }
  if (start < text.length) yield text.slice(start);
}

function* segmentsOf(text: string, level: 'sentence' | 'word' | 'grapheme'): Generator<string> {
  let start = 0;
  while (start < text.length) {
    const window = text.slice(start, start + WINDOW_UNITS);
    const isLast = start + window.length === text.length;
    const segments = Array.from(SEGMENTERS[level].segment(window), ({ segment }) => segment);
    if (!isLast && segments.length > 1) segments.pop();
    else if (!isLast) segments[0] = wholeCharacters(window);
    for (const segment of segments) {
      yield segment;
      start += segment.length;
    }
  }
}

/** A window without its last grapheme, which may go on beyond; never empty. */
function wholeCharacters(window: string): string {
  const last = SEGMENTERS.grapheme.segment(window).containing(window.length - 1);
  if (last !== undefined && last.index > 0) return window.slice(0, last.index);
  const isHalfPair = /[\ud800-\udbff]$/.test(window) && window.length > 1;
  return isHalfPair ? window.slice(0, -1) : window;
}
