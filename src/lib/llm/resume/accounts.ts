import type { Continuation } from '../../core/saved';
import type { Usage } from '../../core/usage';
import type { AnswerRead } from '../answer-reader';
import type { Start } from './gathered';

/**
 * What an answer cost, kept tokens included: they were paid for as well, in an earlier request. A server that went on
 * with a text counts that as part of the prompt.
 */
export function usageOf(
  promptTokens: number,
  read: AnswerRead,
  { kept }: Start,
  estimateTokens: (text: string) => number,
): Usage {
  if (!read.usage) return { promptTokens, completionTokens: estimateTokens(read.written), estimated: true };
  const before = kept.stream?.before.tokens ?? kept.tokens;
  return {
    promptTokens: Math.max(0, read.usage.promptTokens - before),
    completionTokens: read.usage.completionTokens + before,
    estimated: before > 0,
  };
}

/** How the answer outlived an interruption; null when nothing was there to be spared. */
export function continuationOf({ how, kept }: Start, read: AnswerRead): Continuation | null {
  if (how === 'asked') return null;
  const tokens = how === 'reattached' ? read.foundTokens : kept.tokens;
  return tokens > 0 ? { how, tokens } : null;
}
