import type { ParkReason } from '../core/failure-codes';
import type { Clock, Folder, Model } from '../core/ports';
import type { Result } from '../core/result';
import type { Wakeup } from './wakeup';

const FIRST_LOOK_MS = 2_000;
const LAST_LOOK_MS = 60_000;

interface ParkingOptions {
  readonly clock: Clock;
  readonly openModel: () => Promise<Result<Model>>;
  readonly openFolder: () => Promise<Result<Folder>>;
}

/**
 * Waits until the cause of a pause is gone: looks at growing distances, and at once when something woke it. The
 * distance keeps growing over pauses that end without a success in between, so that a server which answers the probe
 * but refuses the work is not asked every two seconds all night.
 */
export class Parking {
  readonly #options: ParkingOptions;
  #lookMs = FIRST_LOOK_MS;

  constructor(options: ParkingOptions) {
    this.#options = options;
  }

  succeeded(): void {
    this.#lookMs = FIRST_LOOK_MS;
  }

  /**
   * Resolves when work may go on; rejects with `AbortError` when the signal fires. `wakeup` is notified by the person's
   * "continue", and by `online` and focus where these may end the wait.
   */
  async untilGone(reason: ParkReason, signal: AbortSignal, wakeup: Wakeup): Promise<void> {
    const { clock } = this.#options;
    for (;;) {
      const looking = new AbortController();
      const either = AbortSignal.any([signal, looking.signal]);
      const timer = reason === 'attention' || reason === 'approval' ? never(either) : clock.sleep(this.#lookMs, either);
      const woken = await Promise.race([
        wakeup.wait(either).then(() => !either.aborted),
        timer.then(() => false),
      ]).finally(() => {
        looking.abort();
      });
      signal.throwIfAborted();
      if (!woken) this.#lookMs = Math.min(this.#lookMs * 2, LAST_LOOK_MS);
      if (await this.#isGone(reason, signal)) return;
    }
  }

  async #isGone(reason: ParkReason, signal: AbortSignal): Promise<boolean> {
    switch (reason) {
      case 'attention':
      case 'approval':
        return true;
      case 'storage':
        return true;
      case 'permission': {
        const folder = await this.#options.openFolder();
        return folder.ok && (await folder.value.access()) === 'ready';
      }
      case 'network':
      case 'endpoint': {
        const model = await this.#options.openModel();
        return model.ok && (await model.value.probe(signal)).ok;
      }
    }
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
