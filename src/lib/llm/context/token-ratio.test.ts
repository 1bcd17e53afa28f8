import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TokenRatio } from './token-ratio';

function having(...ratios: readonly number[]): TokenRatio {
  const ratio = new TokenRatio();
  for (const each of ratios) ratio.saw(1_000, Math.round(1_000 * each));
  return ratio;
}

describe('TokenRatio', () => {
  it('leaves the estimate as it is until three counts were seen', () => {
    expect(having(2, 2).expected(1_000)).toBe(1_000);
    expect(having(2, 2).isLearned).toBe(false);
    expect(having(2, 2, 2).expected(1_000)).toBe(2_000);
    expect(having(2, 2, 2).isLearned).toBe(true);
  });

  it('is moved by no single count, and follows the last ones', () => {
    expect(having(1.2, 1.2, 1.2, 5, 0.3).expected(1_000)).toBe(1_200);
    const ratio = having(...Array.from({ length: 30 }, () => 0.8));
    for (let count = 0; count < 8; count += 1) ratio.saw(1_000, 1_500);
    expect(ratio.expected(1_000)).toBe(1_500);
  });

  it('learns nothing of short prompts and of counts that cannot be of that text', () => {
    const ratio = having(1.5, 1.5, 1.5);
    for (const [estimated, counted] of [
      [100, 150],
      [0, 10],
      [1_000, 0],
      [1_000, 240],
      [1_000, 7_000],
      [1_000, NaN],
      [NaN, 1_000],
      [1_000, Infinity],
    ] as const) {
      ratio.saw(estimated, counted);
    }
    expect(ratio.ratios).toEqual([1.5, 1.5, 1.5]);
  });

  it('is kept over a restart, without what cannot be one', () => {
    const kept = having(1.5, 1.5, 1.5).ratios;
    expect(new TokenRatio([...kept, NaN, -1, 1e9]).expected(1_000)).toBe(1_500);
  });

  it('stays within its bounds, and what fits comes to no more than was given', () => {
    const pair = fc.tuple(fc.integer({ min: -10, max: 100_000 }), fc.integer({ min: -10, max: 1_000_000 }));
    fc.assert(
      fc.property(fc.array(pair), fc.integer({ min: 1, max: 1_000_000 }), (pairs, tokens) => {
        const ratio = new TokenRatio();
        for (const [estimated, counted] of pairs) ratio.saw(estimated, counted);
        expect(ratio.expected(tokens)).toBeGreaterThanOrEqual(tokens / 2);
        expect(ratio.expected(tokens)).toBeLessThanOrEqual(tokens * 4 + 1);
        expect(ratio.expected(tokens)).toBe(Math.ceil(tokens * ratio.factor));
        expect(ratio.ratios.length).toBeLessThanOrEqual(15);
      }),
    );
  });
});
