import { strictText } from './strict-text';

export type WideEncoding = 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be';

const SAMPLE_BYTES = 65_536;
const MIN_WIDE_BYTES = 4;
/** Scripts that read as themselves in the right byte order, and as a jumble in the wrong one. */
const LIKELY =
  /[\t\n\r\x20-\x7e\u00a0-\u024f\u0370-\u06ff\u0900-\u0e7f\u1e00-\u1eff\u2010-\u203b\u3000-\u30ff\u3400-\u9fff\uac00-\ud7a3\uff01-\uffef]|\p{Extended_Pictographic}/u;
/** Some of these are in every text of a few words. Swapped, or as pairs of a narrow encoding, they never come up. */
const FREQUENT = /[\t\n\r\x20-\x7e的一是在不了有和人这這中大为為上个個国國我以要他时時来來用们們，。、：のはにを]/u;
const MIN_LIKELY_SHARE = 0.98;
const MIN_FREQUENT_SHARE = 0.03;

export function wideEncodingByMark(bytes: Uint8Array): WideEncoding | null {
  const [a, b, c, d] = bytes;
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 && bytes.length >= 4 ? 'utf-32le' : 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return 'utf-32be';
  return null;
}

/** UTF-16 or UTF-32 without a mark, told by which byte order reads as text. */
export function wideEncodingByPattern(bytes: Uint8Array): WideEncoding | null {
  if (bytes.length < MIN_WIDE_BYTES || bytes.length % 2 !== 0) return null;
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const isNarrow = !sample.includes(0) && strictText(sample, 'utf-8', { cut: true }) !== null;
  if (isNarrow) return null;
  return utf32Order(bytes) ?? (['utf-16le', 'utf-16be'] as const).find((order) => readsAsText(sample, order)) ?? null;
}

/** No code point is above U+10FFFF, so the highest byte of four is always 0 and the next nearly always. */
function utf32Order(bytes: Uint8Array): 'utf-32le' | 'utf-32be' | null {
  if (bytes.length % 4 !== 0) return null;
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const nuls = [0, 1, 2, 3].map((lane) => sample.filter((byte, index) => index % 4 === lane && byte === 0).length);
  const all = sample.length / 4;
  const [first = 0, second = 0, third = 0, fourth = 0] = nuls;
  if (fourth === all && third > 0.8 * all && first < 0.2 * all) return 'utf-32le';
  if (first === all && second > 0.8 * all && fourth < 0.2 * all) return 'utf-32be';
  return null;
}

function readsAsText(sample: Uint8Array, encoding: 'utf-16le' | 'utf-16be'): boolean {
  const text = strictText(sample, encoding, { cut: true });
  if (text === null) return false;
  let all = 0;
  let likely = 0;
  let frequent = 0;
  for (const character of text) {
    all += 1;
    if (LIKELY.test(character)) likely += 1;
    if (FREQUENT.test(character)) frequent += 1;
  }
  return likely >= MIN_LIKELY_SHARE * all && frequent >= Math.max(1, MIN_FREQUENT_SHARE * all);
}
