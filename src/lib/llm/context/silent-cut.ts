import type { FinishReason, InputCut } from '../../core/model';

export interface PromptCounts {
  /** What the server says that it read. */
  readonly promptTokens: number;
  /** The estimate, with what was learned of the model. */
  readonly expectedTokens: number;
  /** `leastTokens` of the prompt: no model counts fewer. */
  readonly leastTokens: number;
  /** The window that the server told of or a cut has shown; null for none. Not what a person typed, nor what the model was trained for. */
  readonly windowTokens: number | null;
}

/** Below that a count may be of what the server did not have in its cache; no window is so small. */
const LEAST_KEPT_TOKENS = 1_024;
/** By so much the prompt must have been longer where the count alone has to tell. */
const SURE_SHARE = 1.5;
/** Windows are multiples of it where nobody set an odd one. */
const WINDOW_GRAIN = 1_024;

/**
 * Whether the server read less than it was sent and said nothing of it, as Ollama does beyond its window; null when that
 * is not sure. It is when no model could count so few tokens of such a prompt, or when the count is just what a cut leaves:
 * the whole window, one less, or half of it and a few, and the prompt was clearly longer.
 */
export function silentCut(counts: PromptCounts): InputCut | null {
  const { promptTokens, expectedTokens, leastTokens } = counts;
  if (!(promptTokens >= LEAST_KEPT_TOKENS)) return null;
  const mark = windowLeaving(promptTokens, counts.windowTokens);
  const isImpossible = leastTokens >= promptTokens * SURE_SHARE;
  const isMarked =
    mark !== null && expectedTokens >= promptTokens * mark.expectedShare && leastTokens >= promptTokens / 2;
  if (!isImpossible && !isMarked) return null;
  return { keptTokens: promptTokens, windowTokens: mark?.windowTokens ?? promptTokens };
}

interface Mark {
  readonly windowTokens: number;
  readonly expectedShare: number;
}

/** The window of which a cut leaves so many tokens; null when none would. */
function windowLeaving(promptTokens: number, known: number | null): Mark | null {
  if (known !== null && known >= LEAST_KEPT_TOKENS) {
    // A prompt that fills the window whole leaves no room for an answer: nobody sends it.
    const isWhole = promptTokens >= known - 1 && promptTokens <= known;
    if (isWhole) return { windowTokens: known, expectedShare: 1 };
    const overHalf = promptTokens - Math.floor(known / 2);
    return overHalf >= 0 && overHalf <= 4 ? { windowTokens: known, expectedShare: SURE_SHARE } : null;
  }
  for (const [over, halves] of [
    [0, 1],
    [-1, 1],
    [2, 2],
    [3, 2],
  ] as const) {
    const whole = promptTokens - over;
    if (whole % WINDOW_GRAIN === 0) return { windowTokens: whole * halves, expectedShare: SURE_SHARE };
  }
  return null;
}

export interface AnswerCounts {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly finishReason: FinishReason;
  /** What the answer was allowed. */
  readonly maxTokens: number;
  readonly windowTokens: number | null;
}

/** llama.cpp rounds its windows up to it. */
const SLOT_GRAIN = 256;

/**
 * The window that ended an answer before its own limit did, in tokens; null when it was not the window. Prompt and answer
 * then come to it exactly, and a wider limit for the answer would bring nothing.
 */
export function windowRanOut(counts: AnswerCounts): number | null {
  const { promptTokens, completionTokens, finishReason, maxTokens, windowTokens } = counts;
  if (finishReason !== 'length' || completionTokens < 1 || completionTokens >= maxTokens) return null;
  const total = promptTokens + completionTokens;
  if (windowTokens !== null) return total >= windowTokens - 1 && total <= windowTokens ? windowTokens : null;
  // An answer of a round length was ended by a limit of the server on answers.
  return total % SLOT_GRAIN === 0 && completionTokens % SLOT_GRAIN !== 0 ? total : null;
}
