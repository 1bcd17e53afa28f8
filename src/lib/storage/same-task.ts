import type { TaskRow } from '../core/task';

/** Whether that is the task as it was made, field by field: made twice it is still one. */
export function isSameTask(found: unknown, made: TaskRow): boolean {
  return JSON.stringify(found) === JSON.stringify(made);
}
