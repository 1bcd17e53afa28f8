import type { Clock } from '../core/ports';

/** Time a task spent running, taken in pieces: pauses and the machine's sleep while paused are not counted. */
export class ActiveTime {
  readonly #clock: Clock;
  #sinceMs: number | null = null;
  #untakenMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  start(): void {
    this.#sinceMs ??= this.#clock.monotonicMs();
  }

  stop(): void {
    this.#gather();
    this.#sinceMs = null;
  }

  take(): number {
    const taken = this.untakenMs;
    this.#untakenMs -= taken;
    return taken;
  }

  /** What `take` would give now. */
  get untakenMs(): number {
    this.#gather();
    return Math.max(0, this.#untakenMs);
  }

  /** So much of it was sleep of the machine; what was taken already is made good by later time. */
  discount(sleptMs: number): void {
    this.#untakenMs -= sleptMs;
  }

  #gather(): void {
    if (this.#sinceMs === null) return;
    const nowMs = this.#clock.monotonicMs();
    this.#untakenMs += nowMs - this.#sinceMs;
    this.#sinceMs = nowMs;
  }
}
