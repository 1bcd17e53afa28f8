import type { Failure } from '../core/failure';
import type { TaskRow } from '../core/task';
import { stringIn, taskRow } from './row-shapes';

/** A task whose row cannot be used. It stays as it is and can be removed; the others are not affected. */
export interface QuarantinedTask {
  readonly id: string;
  /** Empty when even that cannot be read. */
  readonly name: string;
  readonly failure: Failure;
}

export interface TaskList {
  /** Newest first. */
  readonly readable: readonly TaskRow[];
  readonly quarantined: readonly QuarantinedTask[];
}

export function sortTasks(rows: readonly unknown[]): TaskList {
  const readable: TaskRow[] = [];
  const quarantined: QuarantinedTask[] = [];
  for (const row of rows) {
    const id = stringIn(row, 'id');
    const checked = taskRow(row, id);
    if (!checked.ok) quarantined.push({ id, name: stringIn(row, 'name'), failure: checked.failure });
    else if (checked.value !== null) readable.push(checked.value);
  }
  readable.sort((a, b) => b.createdMs - a.createdMs || (a.id < b.id ? -1 : 1));
  return { readable, quarantined };
}
