import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import type { FailureDetails } from '../../core/failure';
import type { FinishReason } from '../../core/model';
import { PromptCounts } from './prompt-counts';
import { TokenRatio } from './token-ratio';

const CASES = new URL('../../../../tests/cases/overflow/', import.meta.url);
const told = (promptTokens: number, completionTokens = 14, finishReason: FinishReason = 'stop') => ({
  usage: { promptTokens, completionTokens, estimated: false },
  finishReason,
});
const asking = (words: number) => ({
  messages: [{ role: 'user' as const, content: 'word '.repeat(words) }],
  maxTokens: 4_096,
});
const LONG = asking(9_000);

function counts(windowTokens: number | null = null, ratio = new TokenRatio()) {
  const onLearned = vi.fn();
  return { ratio, onLearned, counts: new PromptCounts({ ratio, windowTokens, onLearned }) };
}

describe('what a server says that it read', () => {
  it('CTX-07: is less than it was sent when the server cut the prompt, and shows its window', () => {
    const { body } = JSON.parse(readFileSync(new URL('ctx07-ollama-silent.json', CASES), 'utf8')) as {
      body: { usage: { prompt_tokens: number } };
    };
    const { counts: of, ratio, onLearned } = counts();
    expect(of.judge(LONG, 11_250, told(body.usage.prompt_tokens))).toEqual({ keptTokens: 4_096, windowTokens: 4_096 });
    expect([ratio.ratios, onLearned.mock.calls.length]).toEqual([[], 0]);
  });

  it('CTX-07: half a window is known as a cut once the window is', () => {
    const { counts: of } = counts(4_096);
    expect(of.judge(LONG, 11_250, told(2_050))).toEqual({ keptTokens: 2_050, windowTokens: 4_096 });
  });

  it.each<[string, FinishReason, object | null]>([
    [
      'an answer that filled the window with its prompt has shown it',
      'length',
      { keptTokens: 1_666, windowTokens: 3_328 },
    ],
    ['one that ended by itself has not', 'stop', null],
  ])('CTX-07b: half a window that is odd is known as a cut: %s', (_, finishReason, cut) => {
    const { counts: of } = counts();
    expect(of.judge(asking(900), 1_900, told(1_900, 1_428, finishReason))).toBeNull();
    expect(of.judge(asking(1_500), 5_000, told(1_666))).toEqual(cut);
  });

  it('CTX-10: corrects the estimate, for the model that it is the count of', () => {
    const { counts: of, ratio, onLearned } = counts();
    for (let each = 0; each < 3; each += 1) expect(of.judge(LONG, 10_000, told(13_000))).toBeNull();
    expect([ratio.expected(1_000), onLearned.mock.calls.length]).toEqual([1_300, 3]);
  });

  it('is taken from its refusals as well, where they are about the prompt alone', () => {
    const { counts: of, ratio, onLearned } = counts();
    const refusal = (usedTokens: unknown, limitTokens: unknown) =>
      of.refused(5_000, { details: { usedTokens, limitTokens } as FailureDetails });
    for (const [used, limit] of [
      [8_000, 8_192],
      [null, 8_192],
      [10_000, null],
    ]) {
      refusal(used, limit);
    }
    expect([ratio.ratios, onLearned.mock.calls.length]).toEqual([[], 0]);
    for (let each = 0; each < 3; each += 1) refusal(10_000, 8_192);
    expect([of.tokenRatio, onLearned.mock.calls.length]).toEqual([2, 3]);
  });

  it('is known from what it counted of a sample, until its answers tell better', () => {
    const ratio = new TokenRatio();
    const of = (sampleRatio: number | null) =>
      new PromptCounts({ ratio, windowTokens: null, sampleRatio, onLearned: () => undefined });
    expect([of(null).tokenRatio, of(1.75).tokenRatio]).toEqual([null, 1.75]);
    for (let each = 0; each < 3; each += 1) of(1.75).judge(LONG, 10_000, told(13_000));
    expect(of(1.75).tokenRatio).toBeCloseTo(1.3);
  });

  it('says nothing when it was counted by us', () => {
    const { counts: of, onLearned } = counts();
    expect(of.judge(LONG, 11_250, { ...told(4_096), usage: { ...told(4_096).usage, estimated: true } })).toBeNull();
    expect(onLearned).not.toHaveBeenCalled();
  });
});
