import type { Clock } from './ports';

/** Nothing that a busy machine does takes so long; less than that harms no connection. */
const LEAST_SLEEP_MS = 20_000;

/**
 * Notices that the machine slept, or that the page was frozen, while a timer ran. Where the monotonic clock stands still
 * in sleep, the wall clock runs ahead of it; where it goes on, the timer comes far too late. A wall clock set forward
 * cannot be told from the first, so a sleep is a suspicion; one set back is none.
 */
export class SleepSense {
  readonly #clock: Clock;
  #wallMs: number;
  #monotonicMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#wallMs = clock.now();
    this.#monotonicMs = clock.monotonicMs();
  }

  /**
   * Called when a timer of `timerMs` ended, or was ended early, that began at the last call. Null for no sleep; `lateMs`
   * is how much of it the monotonic clock counted.
   */
  woke(timerMs: number): { readonly lateMs: number } | null {
    const wallMs = this.#clock.now();
    const monotonicMs = this.#clock.monotonicMs();
    const passedMs = monotonicMs - this.#monotonicMs;
    const lateMs = Math.max(0, passedMs - timerMs);
    const aheadMs = wallMs - this.#wallMs - passedMs;
    this.#wallMs = wallMs;
    this.#monotonicMs = monotonicMs;
    return lateMs >= LEAST_SLEEP_MS || aheadMs >= LEAST_SLEEP_MS ? { lateMs } : null;
  }
}
