import type { Language } from '../../core/language';
import { chooseSentences } from './choose-sentences';
import { answersTo } from './file-note';
import { labelsFor } from './labels';
import { layOutNote, quoted, type Room } from './note';
import { parseNote, type ParsedNote } from './parse-note';
import { scoreSentences } from './scored-sentences';

const TOPICS = 6;
const MIN_POINTS = 5;
const MAX_POINTS = 8;
const MAX_DATA = 12;

/** Several notes as one. `sameText` when they are on the parts of one text. */
export function mergeNotes(
  texts: readonly string[],
  ask: string,
  language: Language,
  room: Room,
  sameText: boolean,
): string {
  const labels = labelsFor(language);
  const notes = texts.map(parseNote);
  const quotes = notes.flatMap((note) => note.sentences);
  const scored = scoreSentences(quotes.length > 0 ? quotes : [labels.noText], ask, false);
  const asked = answersTo(scored);
  const rest = scored.sentences.filter((sentence) => !asked.includes(sentence));
  const count = Math.max(MIN_POINTS, Math.min(MAX_POINTS, notes.length));
  return layOutNote(
    {
      kind: (sameText ? notes.find((note) => note.kind)?.kind : null) ?? labels.kinds.notes,
      topics: scored.keywords.slice(0, TOPICS),
      asked: quoted(asked),
      points: quoted(chooseSentences(rest, count)),
      data: mergedData(notes).slice(0, MAX_DATA),
    },
    language,
    room,
  );
}

/** Each note's first line of data, then each one's second …: no note is crowded out by another. */
export function mergedData(notes: readonly ParsedNote[]): readonly string[] {
  const longest = Math.max(0, ...notes.map((note) => note.data.length));
  const lines = new Set<string>();
  for (let place = 0; place < longest; place += 1) {
    for (const note of notes) {
      const line = note.data[place];
      if (line !== undefined) lines.add(line);
    }
  }
  return [...lines];
}
