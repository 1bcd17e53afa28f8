import { settled } from '../../core/counts';
import type { TaskRow } from '../../core/task';

const MINUTE_MS = 60_000;
const MIN_SAMPLES = 3;

/** Files settled in a minute: while running as it is now, afterwards over the whole; null before it means something. */
export function filesPerMinute(task: Pick<TaskRow, 'status' | 'pace' | 'counts' | 'activeMs'>): number | null {
  const { pace, counts, activeMs } = task;
  if (task.status === 'running' && pace.samples >= MIN_SAMPLES && pace.meanMs > 0) return MINUTE_MS / pace.meanMs;
  const through = settled(counts);
  return through === 0 || activeMs <= 0 ? null : (through * MINUTE_MS) / activeMs;
}

/** Tokens answered in a second, over the time the task was running. */
export function tokensPerSecond(task: Pick<TaskRow, 'usage' | 'activeMs'>): number | null {
  const { completionTokens } = task.usage;
  return completionTokens === 0 || task.activeMs <= 0 ? null : (completionTokens * 1_000) / task.activeMs;
}
