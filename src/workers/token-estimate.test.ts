import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { estimateTokens } from '../lib/extract/tokens';
import { TokenRatio } from '../lib/llm/context/token-ratio';

interface Counted {
  readonly kind: string;
  readonly text: string;
  readonly tokens: number;
}

const FILE = new URL('../../tests/cases/overflow/ctx10-token-counts.json', import.meta.url);
const { texts } = JSON.parse(readFileSync(FILE, 'utf8')) as { texts: readonly Counted[] };

function choices<T>(from: readonly T[], count: number): readonly (readonly T[])[] {
  if (count === 0) return [[]];
  return from.flatMap((each, index) => choices(from.slice(index + 1), count - 1).map((rest) => [each, ...rest]));
}

/** Files of four texts each: of any length that is worth learning from. */
const FILES = choices(
  texts.filter(({ kind }) => kind === 'zh'),
  4,
).map((parts) => ({
  estimated: estimateTokens(parts.map(({ text }) => text).join('\n')),
  counted: parts.reduce((sum, { tokens }) => sum + tokens, 0),
}));

it('CTX-10: Chinese is estimated within 15 % after three answers, whichever three they were', () => {
  expect(FILES).toHaveLength(15);
  for (const learned of choices(FILES, 3)) {
    const ratio = new TokenRatio();
    for (const { estimated, counted } of learned) ratio.saw(estimated, counted);
    expect(ratio.isLearned).toBe(true);
    for (const { estimated, counted } of FILES) {
      const off = ratio.expected(estimated) / counted - 1;
      expect(Math.abs(off)).toBeLessThanOrEqual(0.15);
    }
  }
});

it('CTX-10: a model that counts Chinese in twice as many tokens is estimated as well', () => {
  const ratio = new TokenRatio();
  for (const { estimated, counted } of FILES.slice(0, 3)) ratio.saw(estimated, counted * 2);
  for (const { estimated, counted } of FILES) {
    expect(Math.abs(ratio.expected(estimated) / (counted * 2) - 1)).toBeLessThanOrEqual(0.15);
  }
});
