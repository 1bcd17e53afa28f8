import type { Failure } from '../../core/failure';
import type { Completion, InputCut, ModelRequest } from '../../core/model';
import { leastTokens } from './least-tokens';
import { silentCut, windowRanOut } from './silent-cut';
import type { TokenRatio } from './token-ratio';

interface PromptCountsOptions {
  readonly ratio: TokenRatio;
  /** What the server told of its window; null for nothing. */
  readonly windowTokens: number | null;
  /** Tokens that the server counted of a text for each estimated one; null where it counts none. @default null */
  readonly sampleRatio?: number | null;
  /** Called when the ratio has learned. */
  readonly onLearned: () => void;
}

/** Compares what a server says that it read with what it was sent. */
export class PromptCounts {
  readonly #options: PromptCountsOptions;
  #windowTokens: number | null;

  constructor(options: PromptCountsOptions) {
    this.#options = options;
    this.#windowTokens = options.windowTokens;
  }

  /** Tokens that the model counts for each estimated one, as far as is known. */
  get tokenRatio(): number | null {
    const { ratio, sampleRatio = null } = this.#options;
    return ratio.isLearned ? ratio.factor : sampleRatio;
  }

  /** The server refused a prompt as too long for it, and said how long it was. */
  refused(estimatedTokens: number, { details: { usedTokens, limitTokens } }: Pick<Failure, 'details'>): void {
    const { ratio, onLearned } = this.#options;
    // Of what is not beyond the limit by itself the server has not counted all, or also the answer.
    if (typeof usedTokens !== 'number' || typeof limitTokens !== 'number' || usedTokens <= limitTokens) return;
    ratio.saw(estimatedTokens, usedTokens);
    onLearned();
  }

  /** Null for a prompt that was read whole, as far as can be told: its count is learned from. A cut shows the window. */
  judge(
    { messages, maxTokens }: Pick<ModelRequest, 'messages' | 'maxTokens'>,
    estimatedTokens: number,
    { usage, finishReason }: Pick<Completion, 'usage' | 'finishReason'>,
  ): InputCut | null {
    const { ratio, onLearned } = this.#options;
    if (usage.estimated || usage.promptTokens <= 0) return null;
    const { promptTokens } = usage;
    const expectedTokens = ratio.expected(estimatedTokens);
    const cut =
      promptTokens < expectedTokens
        ? silentCut({
            promptTokens,
            expectedTokens,
            leastTokens: messages.reduce((sum, { content }) => sum + leastTokens(content), 0),
            windowTokens: this.#windowTokens,
          })
        : null;
    if (cut) {
      this.#windowTokens = cut.windowTokens;
      return cut;
    }
    // Prompt and answer that fill the window together show it as well.
    this.#windowTokens =
      windowRanOut({ ...usage, finishReason, maxTokens, windowTokens: this.#windowTokens }) ?? this.#windowTokens;
    ratio.saw(estimatedTokens, promptTokens);
    onLearned();
    return null;
  }
}
