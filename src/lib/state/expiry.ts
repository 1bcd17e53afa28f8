import { isFinished, type TaskRow } from '../core/task';

const DAY_MS = 86_400_000;

/** When a finished task is deleted; null while it is not finished, or when tasks are kept for ever. */
export function expiresMs(task: Pick<TaskRow, 'status' | 'finishedMs'>, retentionDays: number): number | null {
  if (retentionDays <= 0 || !isFinished(task.status) || task.finishedMs === null) return null;
  return task.finishedMs + retentionDays * DAY_MS;
}
