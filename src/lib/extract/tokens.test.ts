import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateTokens } from './tokens';

interface Case {
  readonly text: string;
  readonly expected: { readonly min_estimate_tokens: number };
}

interface CountedText {
  readonly kind: 'zh' | 'mixed' | 'en' | 'code' | 'emoji';
  readonly name: string;
  readonly tokens: number;
  readonly text: string;
}

const COUNTED = new URL('../../../tests/cases/overflow/ctx10-token-counts.json', import.meta.url);
const { texts } = JSON.parse(readFileSync(COUNTED, 'utf8')) as { texts: readonly CountedText[] };

describe('CTX-10: what Llama 3 counts', () => {
  it.each(texts.map((each) => [each.kind, each.name, each] as const))('%s, %s', (_, __, { text, tokens }) => {
    const estimated = estimateTokens(text);
    expect(tokens / estimated).toBeLessThanOrEqual(1.125);
    expect(tokens / estimated).toBeGreaterThan(0.7);
  });

  it('is recorded of every kind of text', () => {
    expect([...new Set(texts.map(({ kind }) => kind))]).toEqual(['zh', 'mixed', 'en', 'code', 'emoji']);
  });
});

describe('estimateTokens', () => {
  it('CTX-10, seed defect 32: counts at least 0.6 tokens for a Chinese character', async () => {
    const file = new URL('../../../tests/cases/overflow/ctx10-cjk-estimate.json', import.meta.url);
    const { text, expected } = JSON.parse(await readFile(file, 'utf8')) as Case;
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(expected.min_estimate_tokens);
  });

  it.each([
    ['', 0],
    ['word', 1],
    ['𠀀𠀁𠀂', 3],
    ['👩‍👩‍👧', 5],
  ])('%j is about %d at least', (text, least) => {
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(least);
  });

  it('is never below a quarter of the bytes of a text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(estimateTokens(text)).toBeGreaterThanOrEqual(new TextEncoder().encode(text).length / 4);
      }),
    );
  });

  it('adds up over windows', () => {
    const sentence = 'The quick brown fox jumped over it. ';
    const one = estimateTokens(sentence.repeat(100));
    expect(Math.abs(estimateTokens(sentence.repeat(10_000)) - 100 * one)).toBeLessThan(one);
  });
});
