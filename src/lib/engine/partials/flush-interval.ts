/** How long the first run of a task is taken to go on before something ends it. */
const PRIOR_MS = 30 * 60_000;
const MIN_MS = 100;
const MAX_MS = 5_000;

/**
 * Milliseconds between two interruptions, as far as a task has shown: its running time over their number, with one
 * interruption in half an hour taken for granted.
 */
export function meanUninterruptedMs(task: { readonly activeMs: number; readonly interruptions?: number }): number {
  return (PRIOR_MS + Math.max(0, task.activeMs)) / (1 + (task.interruptions ?? 0));
}

/**
 * How often text that streams in is worth writing down: √(2·C·M) weighs the cost of writing against what an interruption
 * loses (Young 1974, Daly 2006). Within 0.1 and 5 seconds.
 */
export function flushIntervalMs(costMs: number, uninterruptedMs: number): number {
  return Math.min(MAX_MS, Math.max(MIN_MS, Math.sqrt(2 * costMs * uninterruptedMs)));
}
