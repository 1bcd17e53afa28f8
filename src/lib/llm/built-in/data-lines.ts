import { factsOf } from './facts';
import type { ScoredSentence } from './scored-sentences';

/**
 * Dates and amounts as lines `values — clause`, those of the best sentences, in the order of the text. A clause that is
 * the value alone is not said twice.
 */
export function dataLines(sentences: readonly ScoredSentence[], limit: number): readonly string[] {
  const seen = new Set<string>();
  const lines: { index: number; order: number; line: string }[] = [];
  const best = [...sentences].sort((a, b) => b.score - a.score || a.index - b.index);
  for (const { text, index } of best) {
    const byClause = new Map<string, string[]>();
    for (const { value, clause } of factsOf(text)) {
      if (seen.has(value)) continue;
      seen.add(value);
      byClause.set(clause, [...(byClause.get(clause) ?? []), value]);
    }
    for (const [clause, values] of byClause) {
      if (lines.length === limit) break;
      const shown = values.join(' · ');
      lines.push({ index, order: lines.length, line: clause === shown ? shown : `${shown} — ${clause}` });
    }
    if (lines.length === limit) break;
  }
  return lines.sort((a, b) => a.index - b.index || a.order - b.order).map(({ line }) => line);
}
