import type { Template } from '../core/task';

/** What the wording around a text costs at most, in tokens, measured on the longest prompt with room to spare. */
const WORDING_TOKENS = 400;
const MAX_ANSWER_TOKENS = 1_024;
const MIN_ANSWER_TOKENS = 96;
/** Estimates are high but not exact; a tenth is left free. */
const SAFETY = 0.9;

export interface Budget {
  /** Tokens an answer may have. */
  readonly answerTokens: number;
  /** Tokens of matter that fit into one request beside the wording and the answer. */
  readonly matterTokens: number;
}

/** How a context is shared out. An answer gets at most a quarter, so that any two answers fit into one request. */
export function budgetFor(contextTokens: number, instructionsTokens: number): Budget {
  const answerTokens = clamp(Math.floor(contextTokens / 4), MIN_ANSWER_TOKENS, MAX_ANSWER_TOKENS);
  return { answerTokens, matterTokens: matter(contextTokens, answerTokens, instructionsTokens) };
}

/** How a file's share is asked about: `shrink` times less at once where the server counts more tokens than estimated. */
export function budgetForFile(
  template: Template,
  contextTokens: number,
  instructionsTokens: number,
  shrink = 1,
): Budget {
  const { answerTokens, matterTokens } =
    template === 'translate'
      ? budgetForTranslation(contextTokens, instructionsTokens)
      : budgetFor(contextTokens, instructionsTokens);
  return { answerTokens, matterTokens: Math.max(1, Math.floor(matterTokens / shrink)) };
}

/** A translation is about as long as its source, so source and answer share the room evenly. */
function budgetForTranslation(contextTokens: number, instructionsTokens: number): Budget {
  const room = Math.max(
    2 * MIN_ANSWER_TOKENS,
    Math.floor(contextTokens * SAFETY) - WORDING_TOKENS - instructionsTokens,
  );
  const matterTokens = Math.max(MIN_ANSWER_TOKENS, Math.floor(room * 0.4));
  return { answerTokens: Math.max(MIN_ANSWER_TOKENS, room - matterTokens), matterTokens };
}

function matter(contextTokens: number, answerTokens: number, instructionsTokens: number): number {
  const free = Math.floor(contextTokens * SAFETY) - answerTokens - WORDING_TOKENS - instructionsTokens;
  return Math.max(MIN_ANSWER_TOKENS, free);
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
