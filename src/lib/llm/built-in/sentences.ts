export interface Sentence {
  readonly text: string;
  /** Place in the text, from 0. */
  readonly index: number;
}

const SEGMENTER = new Intl.Segmenter('en', { granularity: 'sentence' });
/** Segmenters slow down with the square of their input: longer lines are looked at in pieces. */
const MAX_LINE_UNITS = 2_000;
const ABBREVIATION =
  /(?:^|[\s(])(?:dr|mr|mrs|ms|prof|st|no|nos|vs|etc|e\.g|i\.e|cf|fig|approx|inc|ltd|jr|sr|[a-z])\.\s*$/i;
const FIELD = /^\s*[^\s\d:：][^:：]{0,39}(?::\s+|：\s*)\S/u;
const MAX_RECORD_LINES = 40;
const MARKS = /^(?:\s*(?:#{1,6}\s+|[-*+•·]\s+|>\s?|\d{1,3}[.)]\s+))+/;

/**
 * The sentences of a text in order, without the marks of lists and headings. Records of a table count as one each;
 * where `byLine`, as in logs and code, each line counts as one.
 */
export function sentencesOf(text: string, byLine = false): readonly Sentence[] {
  const found: string[] = [];
  for (const paragraph of text.split(/\n\s*\n/)) {
    const lines = paragraph.split('\n').filter((line) => line.trim() !== '');
    if (byLine) found.push(...lines);
    else if (isRecord(lines)) found.push(lines.map((line) => line.trim()).join('; '));
    else for (const line of lines) found.push(...sentencesOfLine(line.replace(MARKS, '')));
  }
  return found
    .map((sentence) => sentence.trim())
    .filter(saysSomething)
    .map((sentence, index) => ({ text: sentence, index }));
}

/** `name: value` lines that stand together, as tables are rendered. Three or more: two may be speech. */
function isRecord(lines: readonly string[]): boolean {
  if (lines.length < 3 || lines.length > MAX_RECORD_LINES) return false;
  return lines.every((line) => line.length < 200 && (FIELD.test(line) || /^\s\s/.test(line)));
}

function sentencesOfLine(line: string): readonly string[] {
  const sentences: string[] = [];
  for (const piece of piecesOf(line)) {
    let open = '';
    for (const { segment } of SEGMENTER.segment(piece)) {
      const sentence = open + segment;
      // An abbreviation ends nothing; an opening quote belongs to what it opens.
      const quote = ABBREVIATION.test(sentence) ? sentence : (/[“‘「『《（(]+\s*$/.exec(sentence)?.[0] ?? '');
      if (quote.length < sentence.length) sentences.push(sentence.slice(0, sentence.length - quote.length));
      open = quote;
    }
    if (open !== '') sentences.push(open);
  }
  return sentences;
}

/** Cut where words end, as far as there are any. */
function piecesOf(line: string): readonly string[] {
  if (line.length <= MAX_LINE_UNITS) return [line];
  return line.match(/[^]{1,2000}(?:[\s。！？；，,.;!?]|$)|[^]{1,2000}/gu) ?? [line];
}

function saysSomething(sentence: string): boolean {
  return /[\p{L}\p{N}]/u.test(sentence) && !/^[\s|:=-]*$/.test(sentence);
}
