import { STOP_WORDS } from './stop-words';

const SEGMENTER = new Intl.Segmenter('zh', { granularity: 'word' });
const RUNS = /(\p{Script=Han}+)|((?:(?!\p{Script=Han})[\p{L}\p{N}])+(?:['’._-](?:(?!\p{Script=Han})[\p{L}\p{N}])+)*)/gu;

/**
 * Words that carry meaning, in order, in the form in which they are compared: lower case, English plurals singular,
 * Chinese of two characters or more. Other scripts come as they are written.
 */
export function contentWords(text: string): readonly string[] {
  const words: string[] = [];
  for (const [, han, other] of text.matchAll(RUNS)) {
    if (han !== undefined) {
      for (const { segment } of SEGMENTER.segment(han)) if (segment.length > 1) words.push(segment);
    } else if (other !== undefined) words.push(singular(other.toLowerCase()));
  }
  return words.filter((word) => !STOP_WORDS.has(word) && !/^\d/.test(word) && word.length > 1);
}

function singular(word: string): string {
  if (word.length < 5 || /(?:ss|us|is)$/.test(word)) return word.replace(/['’]s$/, '');
  return word
    .replace(/['’]s$/, '')
    .replace(/ies$/, 'y')
    .replace(/([^aeiou])s$|(e)s$/, '$1$2');
}
