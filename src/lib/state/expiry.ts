import type { TaskRow } from '../core/task';
import { nextExpiry } from '../storage/retention';

/** When a finished task is deleted; null while it is not finished, or when tasks are kept for ever. */
export function expiresMs(task: TaskRow, retentionDays: number): number | null {
  return nextExpiry(task, retentionDays);
}
