import type { Clock } from '../../core/ports';
import { isAbort } from '../../core/result';
import { throwIfAborted } from '../abort';
import type { ConcurrencyLimit, Sent } from './concurrency-limit';
import { Lanes, type LanePlace, type LanesOptions } from './lanes';
import type { RateBudget } from './rate-budget';

export interface SendLineOptions extends Omit<LanesOptions, 'clock' | 'onRoom'> {
  readonly limit: ConcurrencyLimit;
  readonly rates: RateBudget;
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>;
  /** Called when something of the rates was taken. */
  readonly onTaken?: () => void;
}

/** How a request ended, as far as it says something of the server or of the way to it. */
export type SendEnd =
  /**
   * `latencyMs` as `ConcurrencyLimit.answered` wants it, null when it tells nothing; `countedTokens` of prompt and answer,
   * null when not told.
   */
  | { readonly how: 'answered'; readonly latencyMs: number | null; readonly countedTokens: number | null }
  /** 429, 503 and the like: the line rests for a moment, so that who asked can take note before the next one goes. */
  | { readonly how: 'refused' }
  /** There is no server at that address, or not the one that is wanted. */
  | { readonly how: 'unserved' }
  /** It failed in the middle of it. `isBusy`: by being too busy, which is a refusal too. */
  | { readonly how: 'failed'; readonly isBusy: boolean }
  | { readonly how: 'other' };

/** A request's turn: it may be sent now. Its clocks start here, not when it stood in line. */
export interface SendTurn {
  readonly baseUrl: string;
  /** It is the address that the person typed. */
  readonly isHome: boolean;
  /** Time in line, in milliseconds. */
  readonly waitedMs: number;
  /** To be called once; later calls change nothing. */
  end(end: SendEnd): void;
}

interface Waiting {
  readonly tokens: number;
  readonly sinceMs: number;
  readonly go: (turn: SendTurn) => void;
  readonly onRateWait: (delayMs: number) => void;
}

const REST_MS = 1_000;

/**
 * The one line to a server: requests are let out in the order they came, as many at once as the limit and the lanes hold
 * and as many a minute as the rates allow.
 */
export class SendLine {
  readonly #options: SendLineOptions;
  readonly #lanes: Lanes;
  readonly #line = new Set<Waiting>();
  #timer: AbortController | null = null;
  #restingUntilMs = -Infinity;

  constructor(options: SendLineOptions) {
    this.#options = options;
    this.#lanes = new Lanes({ ...options, onRoom: () => this.#letOut() });
  }

  get waiting(): number {
    return this.#line.size;
  }

  /**
   * Rejects with `AbortError` when the signal fires before the turn comes; afterwards the turn is the caller's to end.
   * `onRateWait` is told how long the line now stands for the sake of its rates, in milliseconds.
   */
  enter(
    tokens: number,
    signal: AbortSignal,
    onRateWait: (delayMs: number) => void = () => undefined,
  ): Promise<SendTurn> {
    return new Promise((resolve, reject) => {
      throwIfAborted(signal);
      const waiting: Waiting = {
        tokens,
        sinceMs: this.#options.clock.monotonicMs(),
        onRateWait,
        go: (turn) => {
          signal.removeEventListener('abort', leave);
          resolve(turn);
        },
      };
      const leave = () => {
        this.#line.delete(waiting);
        reject(new DOMException('aborted while waiting', 'AbortError'));
        // The one behind may need less of the rates.
        this.#letOut();
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#line.add(waiting);
      this.#letOut();
    });
  }

  /** Looks again: the limit may hold more now. */
  look(): void {
    this.#letOut();
  }

  /** No other address is asked any more. */
  close(): void {
    this.#lanes.close();
  }

  #letOut(): void {
    this.#timer?.abort();
    this.#timer = null;
    for (const first of this.#line) {
      if (this.#options.limit.isFull) return;
      const restMs = this.#restingUntilMs - this.#options.clock.monotonicMs();
      const rateMs = this.#options.rates.waitMs(first.tokens);
      if (rateMs > 0) for (const { onRateWait } of this.#line) onRateWait(rateMs);
      const delayMs = Math.max(restMs, rateMs);
      if (delayMs > 0) {
        void this.#lookIn(delayMs);
        return;
      }
      const place = this.#lanes.enter();
      if (place === null) return;
      const sent = this.#options.limit.send();
      if (sent === null) return place.leave('served');
      this.#options.rates.take(first.tokens);
      this.#options.onTaken?.();
      this.#line.delete(first);
      first.go(this.#turn(first, place, sent));
    }
  }

  #turn({ tokens, sinceMs }: Waiting, place: LanePlace, sent: Sent): SendTurn {
    let isEnded = false;
    return {
      baseUrl: place.baseUrl,
      isHome: place.isHome,
      waitedMs: this.#options.clock.monotonicMs() - sinceMs,
      end: (end) => {
        if (isEnded) return;
        isEnded = true;
        const { limit, rates } = this.#options;
        place.leave(end.how === 'unserved' || end.how === 'failed' ? end.how : 'served');
        if (end.how === 'answered' && end.latencyMs !== null) limit.answered(sent, end.latencyMs);
        else if (end.how === 'refused' || (end.how === 'failed' && end.isBusy)) {
          limit.refused(sent);
          this.#restingUntilMs = this.#options.clock.monotonicMs() + REST_MS;
        } else limit.dropped(sent);
        if (end.how === 'answered' && end.countedTokens !== null) rates.correct(tokens, end.countedTokens);
        this.#letOut();
      },
    };
  }

  async #lookIn(delayMs: number): Promise<void> {
    const timer = new AbortController();
    this.#timer = timer;
    try {
      await this.#options.clock.sleep(delayMs, timer.signal);
    } catch (error) {
      if (!isAbort(error)) throw error;
      return;
    }
    if (this.#timer === timer) this.#letOut();
  }
}
