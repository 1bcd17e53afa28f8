import type { Locks } from '../core/ports';
import type { OwnerChannel, OwnerMessage } from '../engine/supervisor';

/** Locks and messages shared by the workers of several tabs, in one process. */
export class FakeTabs {
  readonly #queues = new Map<string, Promise<void>>();
  readonly #listeners: { readonly tab: number; readonly listener: (message: OwnerMessage) => void }[] = [];
  #tabs = 0;

  readonly locks: Locks = {
    hold: async (name, signal, work) => {
      const before = this.#queues.get(name) ?? Promise.resolve();
      let free = () => undefined as void;
      const mine = new Promise<void>((resolve) => (free = resolve));
      this.#queues.set(
        name,
        before.then(() => mine),
      );
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')), { once: true });
      });
      try {
        await Promise.race([before, aborted]);
        return await work();
      } finally {
        free();
      }
    },
  };

  /** The channel of one more tab. */
  channel(): OwnerChannel {
    const tab = this.#tabs;
    this.#tabs += 1;
    return {
      send: (message) => {
        for (const other of this.#listeners) if (other.tab !== tab) other.listener(message);
      },
      onMessage: (listener) => this.#listeners.push({ tab, listener }),
    };
  }
}
