import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FinishReason } from '../../core/model';
import { leastTokens } from './least-tokens';
import { silentCut, windowRanOut, type PromptCounts } from './silent-cut';

interface Recorded {
  readonly body: {
    readonly choices: readonly { readonly finish_reason: FinishReason }[];
    readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number };
  };
}

function recorded(name: string) {
  const file = new URL(`../../../../tests/cases/overflow/${name}.json`, import.meta.url);
  const { body } = JSON.parse(readFileSync(file, 'utf8')) as Recorded;
  return {
    promptTokens: body.usage.prompt_tokens,
    completionTokens: body.usage.completion_tokens,
    finishReason: body.choices[0]?.finish_reason ?? 'stop',
  };
}

const cut = (promptTokens: number, more: Partial<PromptCounts> = {}) =>
  silentCut({ promptTokens, expectedTokens: 9_000, leastTokens: 4_000, windowTokens: null, ...more });

describe('silentCut', () => {
  it('CTX-07: a prompt of about 9,000 tokens of which 4,096 were read, in English and in Chinese', () => {
    const { promptTokens } = recorded('ctx07-ollama-silent');
    const english = { expectedTokens: 9_000, leastTokens: leastTokens('the report says so '.repeat(1_725)) };
    const chinese = { expectedTokens: 9_000, leastTokens: leastTokens('合同约定的交付日期'.repeat(1_400)) };
    for (const text of [english, chinese]) {
      expect(cut(promptTokens, text)).toEqual({ keptTokens: 4_096, windowTokens: 4_096 });
    }
  });

  it('CTX-07: an answer whose prompt was read whole is not one', () => {
    const { promptTokens } = recorded('ctx07b-ollama-total-equals-limit');
    expect(cut(promptTokens, { expectedTokens: 200, leastTokens: 150 })).toBeNull();
  });

  it.each<[string, number, Partial<PromptCounts>, number]>([
    ['the whole window', 8_192, { expectedTokens: 20_000, leastTokens: 5_000 }, 8_192],
    ['one less', 4_095, {}, 4_096],
    ['half of it and two, as newer Ollama', 2_050, {}, 4_096],
    ['half of a large one', 32_770, { expectedTokens: 66_000, leastTokens: 40_000 }, 65_536],
    ['an odd window that is known', 6_000, { windowTokens: 6_000, expectedTokens: 6_100 }, 6_000],
    ['half of one that is known', 3_002, { windowTokens: 6_000 }, 6_000],
    ['a count that no model comes to', 5_555, { expectedTokens: 9_000, leastTokens: 8_400 }, 5_555],
  ])('is seen by %s', (_, promptTokens, more, windowTokens) => {
    expect(cut(promptTokens, more)).toEqual({ keptTokens: promptTokens, windowTokens });
  });

  it.each<[string, number, Partial<PromptCounts>]>([
    ['a high estimate alone', 5_000, { expectedTokens: 9_000 }],
    ['a high estimate of spaces and rules at a round count', 4_096, { expectedTokens: 40_000, leastTokens: 1_500 }],
    ['a round count of a prompt so long', 4_096, { expectedTokens: 4_500, leastTokens: 3_000 }],
    ['half of the known window', 2_048, { windowTokens: 4_096, expectedTokens: 2_100, leastTokens: 1_500 }],
    ['a round count that is not of the known window', 4_096, { windowTokens: 32_768 }],
    ['a small count, as of a prompt in the cache', 12, { expectedTokens: 9_000, leastTokens: 7_000 }],
    ['no count', 0, {}],
    ['nonsense', NaN, {}],
  ])('is not seen in %s', (_, promptTokens, more) => {
    expect(cut(promptTokens, more)).toBeNull();
  });

  it('taints no answer whose prompt the model counted whole, however wrong the estimate, without a round count', () => {
    const words = fc.array(fc.constantFrom('word', '  ', '====', '\t\t', '合同', '1,234', 'ünïcode', '🙂'), {
      maxLength: 400,
    });
    fc.assert(
      fc.property(
        words,
        fc.integer({ min: 1, max: 200 }),
        fc.double({ min: 1, max: 3, noNaN: true }),
        fc.double({ min: 1, max: 10, noNaN: true }),
        (parts, times, denser, wrong) => {
          const least = leastTokens(parts.join(' ')) * times;
          const promptTokens = Math.ceil(least * denser);
          fc.pre(![0, 1_023, 2, 3].includes(promptTokens % 1_024));
          const expectedTokens = promptTokens * wrong;
          expect(silentCut({ promptTokens, expectedTokens, leastTokens: least, windowTokens: null })).toBeNull();
        },
      ),
    );
  });
});

describe('leastTokens', () => {
  it.each<[string, number]>([
    ['', 0],
    ['   \n\t ', 0],
    ['======== ---- ####', 0],
    ['one two  three', 3],
    ['a,b;c', 1],
    ['Größe naïve Привет', 3],
    ['合同约定的交付日期', 2],
    ['word合同约定 word', 3],
    ['🙂 🙂', 0],
  ])('%j: %d', (text, least) => {
    expect(leastTokens(text)).toBe(least);
  });

  it('CTX-10: is far below any count of Chinese, and not nothing', () => {
    const file = new URL('../../../../tests/cases/overflow/ctx10-cjk-estimate.json', import.meta.url);
    const { text, expected } = JSON.parse(readFileSync(file, 'utf8')) as {
      text: string;
      expected: { min_estimate_tokens: number };
    };
    expect(leastTokens(text)).toBeLessThan(expected.min_estimate_tokens);
    expect(leastTokens(text)).toBeGreaterThan(expected.min_estimate_tokens / 4);
  });
});

describe('windowRanOut', () => {
  it('CTX-07b: the window ended the answer, and is learned', () => {
    const counts = recorded('ctx07b-ollama-total-equals-limit');
    expect(windowRanOut({ ...counts, maxTokens: 8_192, windowTokens: null })).toBe(4_096);
    expect(windowRanOut({ ...counts, maxTokens: 8_192, windowTokens: 4_096 })).toBe(4_096);
    expect(windowRanOut({ ...counts, maxTokens: 8_192, windowTokens: 8_192 })).toBeNull();
  });

  it.each<[string, Partial<Parameters<typeof windowRanOut>[0]>, number | null]>([
    ['llama-server with 1,024 a slot', {}, 1_024],
    ['its own limit', { maxTokens: 1_000 }, null],
    ['a whole answer', { finishReason: 'stop' }, null],
    ['a total that is no window', { promptTokens: 25 }, null],
    ['a limit of the server on answers', { promptTokens: 256, completionTokens: 4_096 }, null],
    ['an odd window that is known', { promptTokens: 5_000, windowTokens: 6_000 }, 6_000],
  ])('%s', (_, more, window) => {
    const counts = { promptTokens: 24, completionTokens: 1_000, maxTokens: 5_000, windowTokens: null };
    expect(windowRanOut({ ...counts, finishReason: 'length', ...more })).toBe(window);
  });
});
