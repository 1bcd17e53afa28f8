import type { Clock, Locks } from '../../core/ports';
import { isAbort } from '../../core/result';

const ORDER = 'journal';
const ORDER_LIMIT_MS = 10_000;

/**
 * One tab at a time puts things in order. One that was frozen in the middle of it would hold the lock for ever: it is not
 * waited for longer than that.
 */
export async function inOneTab<T>(
  { locks, clock }: { readonly locks: Locks; readonly clock: Clock },
  work: () => Promise<T>,
): Promise<T> {
  const patience = new AbortController();
  void clock.sleep(ORDER_LIMIT_MS, patience.signal).then(
    () => patience.abort(),
    () => undefined,
  );
  try {
    return await locks.hold(ORDER, patience.signal, work);
  } catch (error) {
    if (!isAbort(error)) throw error;
    return await work();
  } finally {
    patience.abort();
  }
}
