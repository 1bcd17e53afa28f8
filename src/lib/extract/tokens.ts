import { estimateTokenCount } from 'tokenx';

/** The heuristic builds arrays of its input's words: windows bound its memory, and the sum differs by single tokens. */
const WINDOW_UNITS = 32_768;
const BYTES_PER_TOKEN = 4;
const TOKENS_PER_HAN = 0.6;
/** Emoji and rare ideographs are two units each, and more than two tokens. */
const TOKENS_PER_SURROGATE = 0.65;

/** What an estimate is made of. Measures of neighbouring texts add up to about the measure of both. */
export interface TokenMeasure {
  readonly utf8Bytes: number;
  readonly words: number;
  readonly han: number;
  readonly surrogates: number;
}

export const NO_TOKENS: TokenMeasure = { utf8Bytes: 0, words: 0, han: 0, surrogates: 0 };

/**
 * The largest of three estimates: too low a number overflows a context, too high a one only costs a part more. Llama 3
 * counts at most an eighth more than that for a text of some length, whatever it is of; what a model's own counts teach
 * comes on top.
 */
export function tokensOf(measure: TokenMeasure): number {
  return Math.max(
    Math.ceil(measure.utf8Bytes / BYTES_PER_TOKEN),
    measure.words + Math.ceil(measure.surrogates * TOKENS_PER_SURROGATE),
    Math.ceil(measure.han * TOKENS_PER_HAN),
  );
}

export function addMeasures(a: TokenMeasure, b: TokenMeasure): TokenMeasure {
  return {
    utf8Bytes: a.utf8Bytes + b.utf8Bytes,
    words: a.words + b.words,
    han: a.han + b.han,
    surrogates: a.surrogates + b.surrogates,
  };
}

export function estimateTokens(text: string): number {
  return tokensOf(measureTokens(text));
}

export function measureTokens(text: string): TokenMeasure {
  let utf8Bytes = 0;
  let han = 0;
  let surrogates = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    utf8Bytes += utf8Length(unit);
    if (isHanUnit(unit)) han += 1;
    if (isSurrogate(unit)) surrogates += 1;
  }
  let words = 0;
  for (let start = 0; start < text.length; start += WINDOW_UNITS) {
    words += estimateTokenCount(text.slice(start, start + WINDOW_UNITS));
  }
  return { utf8Bytes, words, han, surrogates };
}

/** Each half of a surrogate pair counts two of the pair's four bytes. */
function utf8Length(unit: number): number {
  if (unit < 0x80) return 1;
  if (unit < 0x800 || isSurrogate(unit)) return 2;
  return 3;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

function isHanUnit(unit: number): boolean {
  return (
    (unit >= 0x4e00 && unit <= 0x9fff) ||
    (unit >= 0x3400 && unit <= 0x4dbf) ||
    (unit >= 0xf900 && unit <= 0xfaff) ||
    unit === 0x3007 ||
    // The first halves of the supplementary ideographs, U+20000 to U+323AF.
    (unit >= 0xd840 && unit <= 0xd888)
  );
}
