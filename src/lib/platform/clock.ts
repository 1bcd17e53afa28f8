import type { Clock } from '../core/ports';

// A longer timer would overflow 32 bits and fire at once.
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The browser's clocks. A sleep is measured by the monotonic one, so a changed wall clock neither cuts nor stretches it. */
export function browserClock(): Clock {
  return { now: () => Date.now(), monotonicMs: () => performance.now(), sleep };
}

function sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(abortError());
      return;
    }
    const untilMs = performance.now() + delayMs;
    let timer: ReturnType<typeof setTimeout>;
    const onAbort = () => {
      clearTimeout(timer);
      reject(abortError());
    };
    const wait = () => {
      const leftMs = untilMs - performance.now();
      if (leftMs > 0) {
        timer = setTimeout(wait, Math.min(MAX_TIMER_MS, Math.ceil(leftMs)));
        return;
      }
      signal?.removeEventListener('abort', onAbort);
      resolve();
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    timer = setTimeout(wait, Math.min(MAX_TIMER_MS, Math.max(0, delayMs)));
  });
}

// Whatever reason the signal was given, an abort is known by this name everywhere.
function abortError(): DOMException {
  return new DOMException('the sleep was aborted', 'AbortError');
}
