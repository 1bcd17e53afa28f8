import type { Clock } from '../core/ports';

/**
 * Runs `work` for at most `limitMs`. Its signal fires when the time is over or the caller's own signal does. `ok` is
 * false when the time was over first; any other error is thrown.
 */
export async function withLimit<T>(
  clock: Clock,
  limitMs: number,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<{ readonly ok: true; readonly value: T } | { readonly ok: false }> {
  const controller = new AbortController();
  const timer = new AbortController();
  const time = { isOver: false };
  const onAbort = () => controller.abort();
  if (outer.aborted) controller.abort();
  outer.addEventListener('abort', onAbort, { once: true });
  const timed = clock.sleep(limitMs, timer.signal).then(
    () => {
      time.isOver = true;
      controller.abort();
    },
    () => undefined,
  );
  try {
    return { ok: true, value: await work(controller.signal) };
  } catch (error) {
    if (time.isOver && !outer.aborted) return { ok: false };
    throw error;
  } finally {
    timer.abort();
    outer.removeEventListener('abort', onAbort);
    await timed;
  }
}
