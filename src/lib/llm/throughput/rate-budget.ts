import type { BucketLevel, RateLevels } from '../../core/learned';
import type { Clock } from '../../core/ports';
import { TokenBucket } from './token-bucket';

/** What a provider allows in a minute; null for no such limit. */
export interface Rates {
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
}

/** Requests and tokens a minute, together. */
export class RateBudget {
  readonly #requests: TokenBucket | null;
  readonly #tokens: TokenBucket | null;

  constructor(rates: Rates, clock: Pick<Clock, 'now' | 'monotonicMs'>, state: RateLevels | null = null) {
    const bucket = (perMinute: number | null, kept: BucketLevel | null) =>
      perMinute !== null && perMinute > 0 && Number.isFinite(perMinute)
        ? new TokenBucket(perMinute, clock, kept)
        : null;
    this.#requests = bucket(rates.requestsPerMinute, state?.requests ?? null);
    this.#tokens = bucket(rates.tokensPerMinute, state?.tokens ?? null);
  }

  /** Until a request of so many tokens, prompt and answer, may be sent, in milliseconds; 0 for now. */
  waitMs(tokens: number): number {
    return Math.max(this.#requests?.waitMs(1) ?? 0, this.#tokens?.waitMs(tokens) ?? 0);
  }

  take(tokens: number): void {
    this.#requests?.take(1);
    this.#tokens?.take(tokens);
  }

  /** The server counted otherwise than was taken. */
  correct(takenTokens: number, countedTokens: number): void {
    this.#tokens?.take(countedTokens - takenTokens);
  }

  state(): RateLevels {
    return { requests: this.#requests?.state() ?? null, tokens: this.#tokens?.state() ?? null };
  }
}
