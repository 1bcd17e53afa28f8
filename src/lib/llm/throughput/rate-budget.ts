import type { BucketLevel, RateLevels } from '../../core/learned';
import type { Clock } from '../../core/ports';
import { TokenBucket } from './token-bucket';

/** What a provider allows in a minute; null for no such limit. */
export interface Rates {
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
}

/** What went out, or came back where it was less than was taken for it. */
export interface Taken {
  readonly requests: number;
  readonly tokens: number;
}

/** Requests and tokens a minute, together. */
export class RateBudget {
  readonly #requests: TokenBucket | null;
  readonly #tokens: TokenBucket | null;
  readonly #onTaken: (taken: Taken) => void;

  /** `onTaken` is told of all that is taken here, where there is a limit at all. */
  constructor(
    rates: Rates,
    clock: Pick<Clock, 'now' | 'monotonicMs'>,
    state: RateLevels | null = null,
    onTaken: (taken: Taken) => void = () => undefined,
  ) {
    const bucket = (perMinute: number | null, kept: BucketLevel | null) =>
      perMinute !== null && perMinute > 0 && Number.isFinite(perMinute)
        ? new TokenBucket(perMinute, clock, kept)
        : null;
    this.#requests = bucket(rates.requestsPerMinute, state?.requests ?? null);
    this.#tokens = bucket(rates.tokensPerMinute, state?.tokens ?? null);
    this.#onTaken = this.#requests || this.#tokens ? onTaken : () => undefined;
  }

  /** Until a request of so many tokens, prompt and answer, may be sent, in milliseconds; 0 for now. */
  waitMs(tokens: number): number {
    return Math.max(this.#requests?.waitMs(1) ?? 0, this.#tokens?.waitMs(tokens) ?? 0);
  }

  take(tokens: number): void {
    this.#take({ requests: 1, tokens });
  }

  /** The server counted otherwise than was taken. */
  correct(takenTokens: number, countedTokens: number): void {
    this.#take({ requests: 0, tokens: countedTokens - takenTokens });
  }

  /** Another worker has taken it of the same server. */
  tookElsewhere({ requests, tokens }: Taken): void {
    this.#requests?.take(requests);
    this.#tokens?.take(tokens);
  }

  state(): RateLevels {
    return { requests: this.#requests?.state() ?? null, tokens: this.#tokens?.state() ?? null };
  }

  #take(taken: Taken): void {
    this.tookElsewhere(taken);
    this.#onTaken(taken);
  }
}
