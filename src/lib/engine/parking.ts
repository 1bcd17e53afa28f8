import { parkReason, type Failure } from '../core/failure';
import type { FailureCode } from '../core/failure-codes';
import type { Clock, Folder, Model } from '../core/ports';
import { isAbort, type Result } from '../core/result';
import type { Breaker } from './breaker';
import type { Wakeup } from './wakeup';

const FIRST_LOOK_MS = 2_000;
const LAST_LOOK_MS = 60_000;

interface ParkingOptions {
  readonly clock: Clock;
  /** Of the task's endpoint: says when that is looked at. */
  readonly breaker: Breaker;
  readonly openModel: () => Promise<Result<Model>>;
  readonly openFolder: () => Promise<Result<Folder>>;
}

/**
 * Waits until the cause of a pause is gone: looks at growing distances, and at once when something woke it. An endpoint
 * is looked at once for all tasks on it, and a request that is answered for any of them ends the wait of all; what
 * another endpoint does is nothing to them.
 */
export class Parking {
  readonly #options: ParkingOptions;
  #lookMs = FIRST_LOOK_MS;

  constructor(options: ParkingOptions) {
    this.#options = options;
  }

  succeeded(): void {
    this.#lookMs = FIRST_LOOK_MS;
    this.#options.breaker.succeeded();
  }

  /**
   * Resolves when work may go on; rejects with `AbortError` when the signal fires. `wakeup` is notified by the person's
   * "continue", and by `online` and focus where these may end the wait.
   */
  async untilGone(why: Pick<Failure, 'code'>, signal: AbortSignal, wakeup: Wakeup): Promise<void> {
    const reason = parkReason(why.code) ?? 'attention';
    if (reason === 'network' || reason === 'endpoint') return this.#untilInReach(why.code, signal, wakeup);
    for (;;) {
      const isAsking = reason === 'attention' || reason === 'approval';
      const woken = await this.#pause(isAsking ? null : this.#lookMs, signal, wakeup);
      if (!woken) this.#lookMs = Math.min(this.#lookMs * 2, LAST_LOOK_MS);
      if (reason !== 'permission' || (await this.#isReadable())) return;
    }
  }

  async #untilInReach(code: FailureCode, signal: AbortSignal, wakeup: Wakeup): Promise<void> {
    const { breaker } = this.#options;
    await breaker.ready();
    breaker.opened(code);
    for (;;) {
      const woken = await this.#pause(breaker.leftMs, signal, wakeup, (either) => breaker.closed(either));
      if (breaker.state === 'closed') return;
      // Another task looked while this one slept: it waits for the next time, or for that one's success.
      if (!woken && breaker.state === 'open') continue;
      if (await this.#look(!woken, signal)) return;
    }
  }

  /** True when something woke it before the time was over. Rejects with `AbortError` when the signal fires. */
  async #pause(
    delayMs: number | null,
    signal: AbortSignal,
    wakeup: Wakeup,
    ended: (either: AbortSignal) => Promise<void> = never,
  ): Promise<boolean> {
    const over = new AbortController();
    const either = AbortSignal.any([signal, over.signal]);
    const timer = delayMs === null ? never(either) : this.#options.clock.sleep(delayMs, either);
    const woken = await Promise.race([
      wakeup.wait(either).then(() => !either.aborted),
      ended(either).then(() => true),
      timer.then(() => false),
    ]).finally(() => {
      over.abort();
    });
    signal.throwIfAborted();
    return woken;
  }

  async #look(isTimed: boolean, signal: AbortSignal): Promise<boolean> {
    const { breaker } = this.#options;
    for (;;) {
      try {
        return await breaker.look(() => this.#isInReach(signal), isTimed);
      } catch (error) {
        signal.throwIfAborted();
        // It was another task that looked, and that was stopped.
        if (!isAbort(error)) throw error;
      }
    }
  }

  async #isReadable(): Promise<boolean> {
    const folder = await this.#options.openFolder();
    return folder.ok && (await folder.value.access()) === 'ready';
  }

  async #isInReach(signal: AbortSignal): Promise<boolean> {
    const model = await this.#options.openModel();
    return model.ok && (await model.value.probe(signal)).ok;
  }
}

function never(signal: AbortSignal): Promise<void> {
  return new Promise((_, reject) => {
    const leave = () => {
      reject(signal.reason instanceof Error ? signal.reason : new DOMException('Aborted', 'AbortError'));
    };
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  });
}
