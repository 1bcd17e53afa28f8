import type { Locks } from '../core/ports';
import { singleTabLocks } from './locks-single';

/** Locks over all tabs of the origin. They are freed by the browser when their holder's worker or page ends. */
export function webLocks(manager: LockManager): Locks {
  return {
    hold: async (name, signal, work, { steal } = { steal: false }) => {
      signal.throwIfAborted();
      const lost = new AbortController();
      let working: ReturnType<typeof work> | undefined;
      try {
        await manager.request(`talaria:${name}`, steal ? { steal } : { signal }, () => (working = work(lost.signal)));
      } catch (error) {
        if (working === undefined) throw error;
        // Either the work failed, which its own promise tells, or the lock was stolen while it goes on.
        lost.abort();
      }
      if (working === undefined) throw new Error('a lock was granted without its work being run');
      return working;
    },
  };
}

/** The best locks there are: those of the browser, else of this tab alone. */
export function availableLocks(): Locks {
  const manager: LockManager | undefined = globalThis.navigator?.locks;
  return manager ? webLocks(manager) : singleTabLocks();
}
