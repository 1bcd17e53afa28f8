const AT_MOST_EVERY_MS = 100;

/** Lets a report through at most ten times a second. */
export function throttled(monotonicMs: () => number): (report: () => void) => void {
  let nextMs = -Infinity;
  return (report) => {
    const nowMs = monotonicMs();
    if (nowMs < nextMs) return;
    nextMs = nowMs + AT_MOST_EVERY_MS;
    report();
  };
}
