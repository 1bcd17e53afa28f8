import type { Locks } from '../core/ports';

/** For browsers without Web Locks: one holder per name within this worker. A second tab is not kept out. */
export function singleTabLocks(): Locks {
  const tails = new Map<string, Promise<void>>();
  return {
    hold: async (name, signal, work) => {
      const before = tails.get(name) ?? Promise.resolve();
      const { promise: held, resolve: release } = Promise.withResolvers<void>();
      const tail = before.then(() => held);
      tails.set(name, tail);
      try {
        await turn(before, signal);
        return await work();
      } finally {
        release();
        if (tails.get(name) === tail) tails.delete(name);
      }
    },
  };
}

function turn(before: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(new DOMException('waiting for the lock was aborted', 'AbortError'));
    if (signal.aborted) {
      onAbort();
      return;
    }
    signal.addEventListener('abort', onAbort, { once: true });
    void before.then(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
  });
}
