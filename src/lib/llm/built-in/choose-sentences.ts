import type { ScoredSentence } from './scored-sentences';

/** Chosen whatever their rank: a long text often says what was decided only once. */
const RESERVED_CONCLUSIONS = 2;
const SAME_SHARE = 0.8;

/** Lines of a log differ in their numbers alone; two findings that do are two. */
export type Likeness = 'words' | 'words and numbers';

/** The best `count` that do not repeat each other, in the order of the text, announced conclusions among them. */
export function chooseSentences(
  sentences: readonly ScoredSentence[],
  count: number,
  likeness: Likeness = 'words and numbers',
): readonly ScoredSentence[] {
  const byScore = [...sentences].sort((a, b) => b.score - a.score || a.index - b.index);
  const conclusions = byScore.filter(({ cue }) => cue > 0).sort((a, b) => b.cue - a.cue);
  const chosen: ScoredSentence[] = [];
  const reserved = Math.min(RESERVED_CONCLUSIONS, Math.ceil(count / 2));
  for (const sentence of [...takeDifferent(conclusions, reserved, likeness), ...byScore]) {
    if (chosen.length === count) break;
    if (!chosen.some((other) => isRepeated(other, sentence, likeness))) chosen.push(sentence);
  }
  return chosen.sort((a, b) => a.index - b.index);
}

export function takeDifferent(
  sentences: readonly ScoredSentence[],
  count: number,
  likeness: Likeness = 'words and numbers',
): readonly ScoredSentence[] {
  const taken: ScoredSentence[] = [];
  for (const sentence of sentences) {
    if (taken.length === count) break;
    if (!taken.some((other) => isRepeated(other, sentence, likeness))) taken.push(sentence);
  }
  return taken;
}

function isRepeated(a: ScoredSentence, b: ScoredSentence, likeness: Likeness): boolean {
  if (bare(a.text) === bare(b.text)) return true;
  const union = new Set([...a.words, ...b.words]);
  if (union.size === 0) return false;
  if (likeness === 'words and numbers' && numbersOf(a.text) !== numbersOf(b.text)) return false;
  const shared = [...a.words].filter((word) => b.words.has(word)).length;
  return shared / union.size >= SAME_SHARE;
}

function bare(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase();
}

function numbersOf(text: string): string {
  return (text.match(/\d+(?:[.,]\d+)*/g) ?? []).join(' ');
}
