import { factsOf } from './facts';
import type { Labels } from './labels';
import type { ParsedNote } from './parse-note';
import { contentWords } from './words';

const MAX_WORDS = 8;
const MAX_VALUES = 5;

/** Words, dates and amounts that come up in several notes, with how many; empty when nothing does. */
export function sharedPatterns(notes: readonly ParsedNote[], labels: Labels): readonly string[] {
  const lines = notes.map((note) => [...note.sentences, ...note.data]);
  const words = inSeveral(lines.map((texts) => new Set(texts.flatMap(contentWords))));
  const values = inSeveral(lines.map((texts) => new Set(texts.flatMap(factsOf).map((fact) => fact.value))));
  return [...words.slice(0, MAX_WORDS), ...values.slice(0, MAX_VALUES)].map(({ item, count }) =>
    labels.sharedBy(item, count, notes.length),
  );
}

function inSeveral(sets: readonly ReadonlySet<string>[]): readonly { item: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const set of sets) for (const item of set) counts.set(item, (counts.get(item) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > 1)
    .map(([item, count]) => ({ item, count }))
    .sort((a, b) => b.count - a.count || (a.item < b.item ? -1 : 1));
}
