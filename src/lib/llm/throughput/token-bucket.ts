import type { BucketLevel } from '../../core/learned';
import type { Clock } from '../../core/ports';

const MINUTE_MS = 60_000;
/** What may go at once; over any minute no more than this share above the rate goes out. */
const BURST_SHARE = 0.1;
/** What was taken beyond the bucket is paid back for so long at most, whatever a stored state says. */
const LONGEST_DEBT_MS = 5 * MINUTE_MS;

/**
 * So many units a minute. While it lives it knows the monotonic clock alone; the wall clock counts only for the time
 * between `state` and a restart, and for no more than fills the bucket: a clock set forward grants one burst, one set
 * back grants nothing and makes nobody wait for it.
 */
export class TokenBucket {
  readonly #clock: Pick<Clock, 'now' | 'monotonicMs'>;
  readonly #perMs: number;
  readonly #capacity: number;
  #level: number;
  #atMs: number;

  /** @param perMinute more than zero. @param state of an earlier life; unreadable ones count as an empty bucket. */
  constructor(perMinute: number, clock: Pick<Clock, 'now' | 'monotonicMs'>, state: BucketLevel | null = null) {
    this.#clock = clock;
    this.#perMs = perMinute / MINUTE_MS;
    this.#capacity = Math.max(1, perMinute * BURST_SHARE);
    this.#level = state === null ? this.#capacity : this.#restored(state);
    this.#atMs = clock.monotonicMs();
  }

  /**
   * How long until `amount` may be taken, in milliseconds; 0 for now. More than the bucket holds may go when it is full,
   * and is paid back afterwards: it could never go otherwise.
   */
  waitMs(amount: number): number {
    const missing = Math.min(amount, this.#capacity) - this.#filled();
    return missing <= 0 ? 0 : Math.ceil(missing / this.#perMs);
  }

  /** Takes it, whether or not it was there. */
  take(amount: number): void {
    this.#level = this.#bounded(this.#filled() - amount);
  }

  state(): BucketLevel {
    return { level: this.#filled(), wallMs: this.#clock.now() };
  }

  #filled(): number {
    const nowMs = this.#clock.monotonicMs();
    this.#level = this.#bounded(this.#level + (nowMs - this.#atMs) * this.#perMs);
    this.#atMs = nowMs;
    return this.#level;
  }

  #restored({ level, wallMs }: BucketLevel): number {
    if (!Number.isFinite(level) || !Number.isFinite(wallMs)) return 0;
    const passedMs = Math.max(0, this.#clock.now() - wallMs);
    return this.#bounded(this.#bounded(level) + passedMs * this.#perMs);
  }

  #bounded(level: number): number {
    return Math.min(this.#capacity, Math.max(-LONGEST_DEBT_MS * this.#perMs, level));
  }
}
