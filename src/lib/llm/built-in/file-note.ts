import type { Language } from '../../core/language';
import { chooseSentences, takeDifferent } from './choose-sentences';
import { codeSentences } from './code-sentences';
import { dataLines } from './data-lines';
import { documentKind, type DocumentKind } from './document-kind';
import { labelsFor } from './labels';
import { layOutNote, quoted, type Room } from './note';
import { scoreSentences, type ScoredText } from './scored-sentences';
import { sentencesOf } from './sentences';

const TOPICS = 5;
const MAX_DATA = 8;
const MAX_ANSWERS = 3;

/** A note on one text: its kind and topics, its most telling sentences, its dates and amounts. */
export function noteOnText(text: string, ask: string, language: Language, room: Room): string {
  const labels = labelsFor(language);
  const kind = documentKind(text);
  const quotes = quotesOf(text, kind);
  const texts = quotes.length > 0 ? quotes : [firstLine(text) ?? labels.noText];
  const scored = scoreSentences(texts, ask, true);
  const asked = answersTo(scored);
  const rest = scored.sentences.filter((sentence) => !asked.includes(sentence));
  const points = chooseSentences(rest, pointCount(texts.length), kind === 'log' ? 'words' : 'words and numbers');
  // Every line of a log has a time; only those of the lines quoted are worth a place.
  const withData = kind === 'log' ? [...asked, ...points] : scored.sentences;
  return layOutNote(
    {
      kind: labels.kinds[kind],
      topics: scored.keywords.slice(0, TOPICS),
      asked: quoted(asked),
      points: quoted(points),
      data: dataLines(withData, MAX_DATA),
    },
    language,
    room,
  );
}

/** Sentences that share enough with what was asked; none when nothing was asked or nothing fits. */
export function answersTo({ sentences, askedWords }: ScoredText): ScoredText['sentences'] {
  const enough = Math.min(2, askedWords);
  const matching = sentences
    .filter(({ asked }) => enough > 0 && asked >= enough)
    .sort((a, b) => b.asked - a.asked || b.score - a.score || a.index - b.index);
  return [...takeDifferent(matching, MAX_ANSWERS)].sort((a, b) => a.index - b.index);
}

function quotesOf(text: string, kind: DocumentKind): readonly string[] {
  if (kind === 'code') return codeSentences(text);
  return sentencesOf(text, kind === 'log' || kind === 'data').map((sentence) => sentence.text);
}

function pointCount(sentences: number): number {
  if (sentences < 12) return 3;
  return sentences < 40 ? 4 : 5;
}

function firstLine(text: string): string | undefined {
  return text.split('\n').find((line) => line.trim() !== '');
}
