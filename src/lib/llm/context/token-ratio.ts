/** Of a shorter prompt the count tells more of the chat template than of the text. */
const LEAST_TOKENS = 128;
const KEPT_RATIOS = 15;
/** Fewer say nothing yet: the estimate stands as it is. */
const LEAST_RATIOS = 3;
/** Outside of these a server counts something else, or has cut the prompt. */
const BELIEVED = { least: 0.25, most: 6 } as const;
/** The estimate is meant to be high: it is never lowered to less than half of it. */
const FACTOR = { least: 0.5, most: 4 } as const;

/**
 * How a model's own count of prompts compares with the estimate: the middle of the last few, so that single odd ones
 * change nothing. One for each model of a server. Counts of prompts that the server cut (`silentCut`) do not belong here.
 */
export class TokenRatio {
  #ratios: readonly number[];

  /** @param ratios of an earlier life; what cannot be one is left out. */
  constructor(ratios: readonly number[] = []) {
    this.#ratios = ratios.filter(isBelieved).slice(-KEPT_RATIOS);
  }

  /** To be kept over restarts. */
  get ratios(): readonly number[] {
    return this.#ratios;
  }

  /** Whether `expected` rests on counts of this model. */
  get isLearned(): boolean {
    return this.#ratios.length >= LEAST_RATIOS;
  }

  /** Tokens that the model counts for each estimated one; 1 while too little was seen. */
  get factor(): number {
    if (!this.isLearned) return 1;
    const sorted = [...this.#ratios].sort((a, b) => a - b);
    const middle = sorted[Math.floor(sorted.length / 2)] ?? 1;
    return Math.min(FACTOR.most, Math.max(FACTOR.least, middle));
  }

  /** Tokens that the model will count where so many were estimated. */
  expected(estimatedTokens: number): number {
    return Math.ceil(estimatedTokens * this.factor);
  }

  saw(estimatedTokens: number, countedTokens: number): void {
    const ratio = countedTokens / estimatedTokens;
    if (estimatedTokens < LEAST_TOKENS || !isBelieved(ratio)) return;
    this.#ratios = [...this.#ratios, ratio].slice(-KEPT_RATIOS);
  }
}

function isBelieved(ratio: number): boolean {
  return ratio >= BELIEVED.least && ratio <= BELIEVED.most;
}
