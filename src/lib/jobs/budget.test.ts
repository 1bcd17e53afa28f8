import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { budgetFor, budgetForFile } from './budget';

describe('how a context is shared out', () => {
  it('leaves room for the wording, and any two answers fit one request', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2_048, max: 200_000 }), fc.integer({ min: 0, max: 200 }), (context, wish) => {
        const { answerTokens, matterTokens } = budgetFor(context, wish);
        expect(answerTokens + matterTokens + 400 + wish).toBeLessThanOrEqual(context);
        expect(matterTokens).toBeGreaterThanOrEqual(Math.min(2 * answerTokens, 600));
      }),
    );
  });

  it('gives a translation as much room as its source', () => {
    const { answerTokens, matterTokens } = budgetForFile('translate', 8_192, 0);
    expect(answerTokens).toBeGreaterThanOrEqual(matterTokens);
    expect(answerTokens + matterTokens).toBeLessThan(8_192);
  });
});
