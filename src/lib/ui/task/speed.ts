import { settled } from '../../core/counts';
import { isFinished, type TaskRow } from '../../core/task';

const MINUTE_MS = 60_000;
const MIN_SAMPLES = 3;

/** Files settled in a minute: while running as it is now, once finished over the whole; null where neither says something. */
export function filesPerMinute(task: Pick<TaskRow, 'status' | 'pace' | 'counts' | 'activeMs'>): number | null {
  const { pace, counts, activeMs } = task;
  if (!isFinished(task.status)) {
    const known = task.status === 'running' && pace.samples >= MIN_SAMPLES && pace.meanMs > 0;
    return known ? MINUTE_MS / pace.meanMs : null;
  }
  const through = settled(counts);
  return through === 0 || activeMs <= 0 ? null : (through * MINUTE_MS) / activeMs;
}

/** Tokens answered in a second, over the time the task was running. */
export function tokensPerSecond(task: Pick<TaskRow, 'usage' | 'activeMs'>): number | null {
  const { completionTokens } = task.usage;
  return completionTokens === 0 || task.activeMs <= 0 ? null : (completionTokens * 1_000) / task.activeMs;
}
