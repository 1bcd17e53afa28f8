import type { Locks } from '../core/ports';
import { singleTabLocks } from './locks-single';

/** Locks over all tabs of the origin. They are freed by the browser when their holder's worker or page ends. */
export function webLocks(manager: LockManager): Locks {
  return {
    hold: async (name, signal, work) => {
      signal.throwIfAborted();
      // `request` types its answer as if the callback's promise were not awaited.
      let result: { readonly value: Awaited<ReturnType<typeof work>> } | undefined;
      await manager.request(`talaria:${name}`, { signal }, async () => {
        result = { value: await work() };
      });
      if (!result) throw new Error('a lock was granted without its work being run');
      return result.value;
    },
  };
}

/** The best locks there are: those of the browser, else of this tab alone. */
export function availableLocks(): Locks {
  const manager: LockManager | undefined = globalThis.navigator?.locks;
  return manager ? webLocks(manager) : singleTabLocks();
}
