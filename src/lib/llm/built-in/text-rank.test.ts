import { describe, expect, it } from 'vitest';
import { keywordsOf } from './keywords';
import { rankSentences } from './text-rank';

const set = (words: string) => new Set(words.split(' '));

describe('rankSentences', () => {
  it('ranks highest what shares most with the others', () => {
    const ranked = rankSentences(
      [set('budget supplier quote'), set('budget quote'), set('supplier quote'), set('birds sing')],
      new Set(),
    );
    const best = [...ranked].sort((a, b) => b.rank - a.rank);
    expect(best[0]).toEqual({ index: 0, rank: 1 });
    expect(best.at(-1)?.index).toBe(3);
  });

  it('keeps the few of many, and those it must', () => {
    const words = Array.from({ length: 2000 }, (_, at) =>
      set(`w${String(at % 50)} x${String(at % 7)} y${String(at % 3)}`),
    );
    words[1777] = set('alone');
    const ranked = rankSentences(words, new Set([1777]));
    expect(ranked.length).toBeLessThanOrEqual(150);
    expect(ranked.some(({ index }) => index === 1777)).toBe(true);
    for (const { rank } of ranked) expect(rank).toBeGreaterThan(0);
  });

  it('makes nothing of nothing', () => {
    expect(rankSentences([], new Set())).toEqual([]);
  });
});

describe('keywordsOf', () => {
  it('prefers words spread over the text to words crowded in one place', () => {
    const sentences = Array.from({ length: 20 }, (_, at) => (at % 5 === 0 ? ['budget'] : [`other${String(at)}`]));
    sentences[1] = ['bird', 'bird', 'bird', 'bird'];
    expect(keywordsOf(sentences, 2)).toEqual(['budget', 'bird']);
  });
});
