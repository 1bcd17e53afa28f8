/** What many sentences speak of: frequency, weighed by over how much of the text it is spread. Best first. */
export function keywordsOf(sentenceWords: readonly (readonly string[])[], limit: number): readonly string[] {
  const seen = new Map<string, { count: number; blocks: Set<number> }>();
  const blockSize = Math.max(1, Math.ceil(sentenceWords.length / 10));
  sentenceWords.forEach((words, index) => {
    for (const word of words) {
      const entry = seen.get(word) ?? { count: 0, blocks: new Set() };
      entry.count += 1;
      entry.blocks.add(Math.floor(index / blockSize));
      seen.set(word, entry);
    }
  });
  return [...seen]
    .map(([word, { count, blocks }]) => ({ word, score: count * Math.sqrt(blocks.size) }))
    .sort((a, b) => b.score - a.score || (a.word < b.word ? -1 : 1))
    .slice(0, limit)
    .map(({ word }) => word);
}
