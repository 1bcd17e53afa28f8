import type { Clock } from '../core/ports';
import { SleepSense } from '../core/sleep-sense';

/** What `within` resolves to when the time is over. */
export const TOO_LATE = Symbol('too late');

/**
 * What `work` resolves to, or `TOO_LATE` when that takes longer than `limitMs`; the work is then left to itself, for
 * there are things that cannot be ended. A limit that the machine slept through begins anew.
 */
export async function within<T>(clock: Clock, limitMs: number, work: Promise<T>): Promise<T | typeof TOO_LATE> {
  const over = new AbortController();
  const sense = new SleepSense(clock);
  const timed = async (): Promise<typeof TOO_LATE> => {
    for (;;) {
      await clock.sleep(limitMs, over.signal);
      if (!sense.woke(limitMs)) return TOO_LATE;
    }
  };
  const timer = timed().catch((): typeof TOO_LATE => TOO_LATE);
  try {
    return await Promise.race([work, timer]);
  } finally {
    over.abort();
    // Nobody hears of it any more: what was given up may still fail.
    work.catch(() => undefined);
  }
}
