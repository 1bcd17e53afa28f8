import type { Language } from '../../core/language';
import { labelsFor } from './labels';
import type { ScoredSentence } from './scored-sentences';

/** A sentence of the text, and how much it would be missed. */
export interface Quote {
  readonly text: string;
  readonly weight: number;
}

/** What the engine says of a text, before it is laid out. */
export interface Note {
  readonly kind: string;
  readonly topics: readonly string[];
  readonly asked: readonly Quote[];
  readonly points: readonly Quote[];
  readonly data: readonly string[];
}

export interface Room {
  readonly maxTokens: number;
  readonly estimateTokens: (text: string) => number;
}

const MAX_QUOTE_CHARACTERS = 320;
/** Of the list that a sentence stood in: it would begin a list within the quote. */
const LIST_MARK = /^(?:[-*+•] )+(?=\S)/;

/** Markdown that fits the room: what would be missed least is left out first. */
export function layOutNote(note: Note, language: Language, room: Room): string {
  let rest = note;
  let text = markdownOf(rest, language);
  while (room.estimateTokens(text) > room.maxTokens) {
    const less = withLess(rest);
    if (less === null) return clip(text, room);
    rest = less;
    text = markdownOf(rest, language);
  }
  return text;
}

function markdownOf({ kind, topics, asked, points, data }: Note, language: Language): string {
  const labels = labelsFor(language);
  const topic = topics.length === 0 ? kind : `${kind} — ${topics.join(labels.listSeparator)}`;
  const blocks = [
    `${labels.typeAndTopic} ${topic}`,
    ...(asked.length === 0 ? [] : [`${labels.asked}\n${bullets(asked.map(({ text }) => text))}`]),
    ...(points.length === 0 ? [] : [`${labels.points}\n${bullets(points.map(({ text }) => text))}`]),
    ...(data.length === 0 ? [] : [`${labels.data}\n${bullets(data)}`]),
  ];
  return blocks.join('\n\n');
}

export function quoted(sentences: readonly ScoredSentence[]): readonly Quote[] {
  return sentences.map(({ text, score, cue }) => ({ text, weight: score + cue }));
}

export function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${quote(line)}`).join('\n');
}

/** One line, cut at a word end when it is very long, and then visibly so. */
export function quote(sentence: string): string {
  const line = sentence.replace(/\s+/g, ' ').trim().replace(LIST_MARK, '');
  if (line.length <= MAX_QUOTE_CHARACTERS) return line;
  const cut = line.slice(0, MAX_QUOTE_CHARACTERS).replace(/[\ud800-\udbff]$/, '');
  return `${cut.replace(/\s+[^\s]{0,30}$/, '')}…`;
}

function withLess(note: Note): Note | null {
  if (note.data.length > 2) return { ...note, data: note.data.slice(0, -1) };
  if (note.points.length > 3) return { ...note, points: withoutLightest(note.points) };
  if (note.data.length > 0) return { ...note, data: note.data.slice(0, -1) };
  if (note.asked.length > 1) return { ...note, asked: withoutLightest(note.asked) };
  if (note.points.length > 1) return { ...note, points: withoutLightest(note.points) };
  if (note.topics.length > 0) return { ...note, topics: [] };
  return null;
}

export function withoutLightest(quotes: readonly Quote[]): readonly Quote[] {
  const lightest = quotes.reduce((least, { weight }) => Math.min(least, weight), Infinity);
  const at = quotes.findLastIndex(({ weight }) => weight === lightest);
  return quotes.filter((_, index) => index !== at);
}

/** Cut from the end until it fits; at least one character stays. */
export function clip(text: string, room: Room): string {
  let characters = [...text];
  while (characters.length > 1 && room.estimateTokens(characters.join('')) > room.maxTokens) {
    characters = characters.slice(0, Math.max(1, Math.floor(characters.length * 0.9)));
  }
  return characters.join('').trim() || text.trim().slice(0, 1);
}
