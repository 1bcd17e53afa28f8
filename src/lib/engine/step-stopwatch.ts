import type { Clock } from '../core/ports';
import type { Lookahead } from './lookahead';

/** Times one try of a step: preparing, then waiting for a free request, then asking. The wait is nobody's work. */
export class StepStopwatch {
  readonly #clock: Clock;
  readonly #startedAt: number;
  #readyAt: number | null = null;
  #askedAt: number | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startedAt = clock.monotonicMs();
  }

  /** The first request is ready to go out, or waits for an equal one that is out already. */
  ready(): void {
    this.#readyAt ??= this.#clock.monotonicMs();
  }

  /** The first request goes out. */
  asked(): void {
    this.#askedAt ??= this.#clock.monotonicMs();
  }

  get hasAsked(): boolean {
    return this.#askedAt !== null;
  }

  /** Time spent on the step so far, in whole milliseconds, without the wait. */
  durationMs(): number {
    const nowMs = this.#clock.monotonicMs();
    const waitedMs = this.#readyAt === null ? 0 : (this.#askedAt ?? nowMs) - this.#readyAt;
    return Math.max(0, Math.round(nowMs - this.#startedAt - waitedMs));
  }

  /** Tells how long preparing and asking took, when the step did ask. */
  tell(lookahead: Lookahead): void {
    if (this.#readyAt === null || this.#askedAt === null) return;
    lookahead.observe(this.#readyAt - this.#startedAt, this.#clock.monotonicMs() - this.#askedAt);
  }
}
