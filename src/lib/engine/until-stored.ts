import type { Clock } from '../core/ports';
import type { Result } from '../core/result';

const LOOK_AGAIN_MS = 2_000;

/**
 * Asks storage again and again while it says that waiting helps. Any other answer comes back. Rejects with `AbortError`
 * when the signal fires.
 */
export async function untilStored<T>(
  clock: Clock,
  signal: AbortSignal,
  ask: () => Promise<Result<T>>,
): Promise<Result<T>> {
  for (;;) {
    const asked = await ask();
    if (asked.ok || asked.failure.verdict !== 'wait') return asked;
    await clock.sleep(LOOK_AGAIN_MS, signal);
  }
}
