import { parkReason, type Failure } from '../core/failure';
import { FailureError } from '../core/failure-error';
import type { StepKey } from '../core/ids';
import type { Clock } from '../core/ports';
import type { Result } from '../core/result';
import type { StepRow } from '../core/step';
import type { Gate } from './gate';
import { bySuspicion } from './suspicion';
import { Wakeup } from './wakeup';

/**
 * What became of a step that was handed out. `again`: once more after the delay. `wait`: its cause must end first,
 * nothing more is handed out meanwhile. `replan`: not again in this wave, its input must be planned anew.
 * `handled` is called once that has been taken note of. `saved` resolves when the step's row says so too; until then the step is nobody else's.
 */
export type Settled<Saved = unknown> = { readonly saved: Promise<Saved>; readonly handled: () => void } & (
  | { readonly kind: 'settled' | 'replan' }
  | { readonly kind: 'again'; readonly delayMs: number }
  | { readonly kind: 'wait'; readonly failure: Failure }
);

interface WorkLoopOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Closed while something is waited for: steps that were handed out before must not ask either. */
  readonly gate: Gate;
  /** Steps handed out at once. */
  readonly width: () => number;
  /** What a step takes of the room there is, as a share; steps that do not fit together are handed out in turn. */
  readonly weight: (step: StepRow) => number;
  /** Steps to be worked on after all others and after planning, with nothing else in hand. */
  readonly isLonely: (step: StepRow) => boolean;
  /** Up to `limit` pending steps, in order. May hold some already handed out. A failure that waiting mends is waited for. */
  readonly pending: (limit: number) => Promise<Result<readonly StepRow[]>>;
  /** True while planning may still add steps. */
  readonly isGrowing: () => boolean;
  readonly work: (step: StepRow) => Promise<Settled>;
  /** Called for a `wait` with a park reason; resolves when work may go on. */
  readonly park: (failure: Failure) => Promise<void>;
  /** Called for a `wait` without one; resolves when the hold is over. */
  readonly hold: (failure: Failure) => Promise<void>;
  /** Called when the run cannot go on: what is in flight should end. */
  readonly onBroken: () => void;
  /** Called whenever a step is through, and when none can be handed out now. */
  readonly onLull: () => void;
}

/** Rows fetched at a time beyond those handed out: enough to keep every hand busy between two reads. */
const WINDOW = 64;

/** Does not fit beside anything. */
const LONELY = 2;

/**
 * Keeps `width` steps going until none is pending. Holds no list of the task: it reads the next few from an index, so
 * it starts as fast with twenty thousand finished steps as with none.
 */
export class WorkLoop {
  readonly #options: WorkLoopOptions;
  readonly #claimed = new Set<StepKey>();
  readonly #cooling = new Map<StepKey, number>();
  readonly #setAside = new Set<StepKey>();
  readonly #wakeup = new Wakeup();
  #window: StepRow[] = [];
  #inFlight = 0;
  #weight = 0;
  #waiting: Promise<void> | null = null;
  #broken: Error | null = null;

  constructor(options: WorkLoopOptions) {
    this.#options = options;
    options.signal.addEventListener('abort', () => this.#wakeup.notify(), { once: true });
  }

  /** Something changed: more steps, another width, a plan that ended. */
  notify(): void {
    this.#wakeup.notify();
  }

  /**
   * Runs until nothing is pending and nothing can be added. Rejects on abort, on a refused commit, and when the pending
   * steps cannot be read; nothing that was handed out is under way by then.
   */
  async run(): Promise<void> {
    this.#setAside.clear();
    for (;;) {
      this.#forgetCooled();
      await this.#handOut();
      if (this.#inFlight === 0) {
        if (this.#broken) throw this.#broken;
        this.#options.signal.throwIfAborted();
        // Looked at again once nothing can be added any more: the last look may have been before that.
        if (this.#isIdle()) {
          const next = await this.#nextOrBreak();
          if (next === null && this.#isIdle()) return;
          if (next === null || this.#mayHandOut()) continue;
        }
      }
      if (this.#inFlight === 0) this.#options.onLull();
      await this.#untilSomethingHappens();
    }
  }

  #isIdle(): boolean {
    if (this.#broken || this.#waiting || this.#options.isGrowing()) return false;
    return this.#claimed.size === 0 && this.#cooling.size === 0;
  }

  async #handOut(): Promise<void> {
    while (this.#mayHandOut()) {
      const step = await this.#nextOrBreak();
      if (!step || !this.#mayHandOut()) return;
      const weight = this.#weightOf(step);
      if (this.#inFlight > 0 && this.#weight + weight > 1) return;
      this.#weight += weight;
      this.#window.shift();
      this.#claimed.add(step.key);
      this.#inFlight += 1;
      void this.#handle(step);
    }
  }

  #mayHandOut(): boolean {
    if (this.#options.signal.aborted || this.#broken || this.#waiting) return false;
    return this.#inFlight < this.#options.width();
  }

  #weightOf(step: StepRow): number {
    return this.#options.isLonely(step) ? LONELY : this.#options.weight(step);
  }

  #nextOrBreak(): Promise<StepRow | null> {
    return this.#next().catch((error: unknown) => this.#break(error));
  }

  /** The next step to hand out, left at the head of the window; null when none is ready now. */
  async #next(): Promise<StepRow | null> {
    const isReady = (step: StepRow) =>
      !this.#claimed.has(step.key) && !this.#setAside.has(step.key) && !this.#cooling.has(step.key);
    this.#window = this.#window.filter(isReady);
    if (this.#window.length > 0) return this.#window[0] ?? null;
    const hidden = this.#claimed.size + this.#cooling.size + this.#setAside.size;
    for (let limit = hidden + WINDOW; ; limit *= 2) {
      const pending = await this.#options.pending(limit);
      if (!pending.ok) {
        if (parkReason(pending.failure.code) === null) throw new FailureError(pending.failure);
        this.#waitFor(pending.failure);
        return null;
      }
      const ready = pending.value.filter(isReady);
      this.#window = ready.filter((step) => !this.#options.isLonely(step));
      if (this.#window.length > 0) break;
      if (pending.value.length < limit) {
        if (!this.#options.isGrowing()) this.#window = ready.sort(bySuspicion).slice(0, 1);
        break;
      }
    }
    return this.#window[0] ?? null;
  }

  /** Once for all steps, ready or not to be handed out: one that stays would wake the loop again and again. */
  #forgetCooled(): void {
    const nowMs = this.#options.clock.monotonicMs();
    for (const [key, readyAtMs] of this.#cooling) if (readyAtMs <= nowMs) this.#cooling.delete(key);
  }

  async #handle(step: StepRow): Promise<void> {
    const breaks = (error: unknown) => this.#break(error);
    const settled = await this.#options.work(step).catch(breaks);
    if (settled?.kind === 'again') this.#cooling.set(step.key, this.#options.clock.monotonicMs() + settled.delayMs);
    if (settled?.kind === 'replan') this.#setAside.add(step.key);
    if (settled?.kind === 'wait') this.#waitFor(settled.failure);
    settled?.handled();
    this.#options.onLull();
    this.#inFlight -= 1;
    this.#weight -= this.#weightOf(step);
    this.#wakeup.notify();
    await settled?.saved.catch(breaks);
    this.#claimed.delete(step.key);
    this.#wakeup.notify();
  }

  #break(error: unknown): null {
    this.#broken ??= error instanceof Error ? error : new Error(String(error));
    this.#options.onBroken();
    return null;
  }

  /** Hands out nothing more until the failure's cause has ended. */
  async waitFor(failure: Failure): Promise<void> {
    this.#waitFor(failure);
    await this.#waiting;
  }

  /** Resolves while nothing is being waited for. Rejects when the run is to end. */
  async waited(): Promise<void> {
    while (this.#waiting) await this.#waiting;
    if (this.#broken) throw this.#broken;
    this.#options.signal.throwIfAborted();
  }

  #waitFor(failure: Failure): void {
    if (this.#waiting) return;
    const open = this.#options.gate.close();
    const waiting = parkReason(failure.code) === null ? this.#options.hold(failure) : this.#options.park(failure);
    this.#waiting = waiting
      .catch((error: unknown) => {
        this.#break(error);
      })
      .finally(() => {
        this.#waiting = null;
        open();
        this.#wakeup.notify();
      });
  }

  async #untilSomethingHappens(): Promise<void> {
    const wakeAtMs = Math.min(...this.#cooling.values());
    if (!Number.isFinite(wakeAtMs)) {
      await this.#wakeup.wait();
      return;
    }
    const cancel = new AbortController();
    const delayMs = Math.max(0, wakeAtMs - this.#options.clock.monotonicMs());
    const cooled = this.#options.clock.sleep(delayMs, cancel.signal).catch(() => undefined);
    await Promise.race([this.#wakeup.wait(cancel.signal), cooled]);
    cancel.abort();
  }
}
