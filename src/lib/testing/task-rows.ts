import type { ActivityRow } from '../core/activity';
import type { ResultKey, TaskId } from '../core/ids';
import type { CheckpointStore } from '../core/ports';
import type { Result } from '../core/result';
import type { ResultRow } from '../core/results';
import type { StepRow } from '../core/step';
import type { TaskRow } from '../core/task';

/** Everything that a store has of a task, in an order that does not depend on the store. */
export interface TaskRows {
  readonly task: TaskRow;
  readonly steps: readonly StepRow[];
  readonly results: readonly ResultRow[];
  readonly activity: readonly ActivityRow[];
}

const ALL = 100_000;

export async function rowsOf(store: CheckpointStore, id: TaskId): Promise<TaskRows> {
  const task = found(await store.task(id));
  if (!task) throw new Error('the task is not there');
  const steps = [...found(await store.stepsSince(id, -1, ALL))].sort((a, b) => (a.key < b.key ? -1 : 1));
  const keys = new Set<ResultKey>(steps.flatMap(({ resultKey }) => resultKey ?? []));
  if (task.report) keys.add(task.report);
  const results = found(await store.results([...keys])).flatMap((result) => result ?? []);
  return { task, steps, results, activity: found(await store.activity(id, ALL)) };
}

/** What of these rows a recovery may change: that it happened, and who owns the task now. */
export function withoutOwner({ task, ...rows }: TaskRows): Omit<TaskRows, 'task'> & { task: Partial<TaskRow> } {
  const { epoch: _epoch, updatedMs: _updated, rebuiltMs: _rebuilt, ...rest } = task;
  return { ...rows, task: rest };
}

/** What was achieved so far, without what every owner does anew: equal as long as nothing was. */
export function progressOf({ task, steps }: TaskRows): string {
  const settled = steps.map(({ key, status, resultKey }) => {
    const isOpen = status === 'pending' || status === 'running';
    return [key, isOpen ? 'open' : status, resultKey];
  });
  const isOver = task.status !== 'running' && task.status !== 'pending';
  return JSON.stringify([settled, task.startedMs, isOver ? task.status : 'open', task.report, task.output]);
}

function found<T>(read: Result<T>): T {
  if (!read.ok) throw new Error(`${read.failure.code}: ${read.failure.message}`);
  return read.value;
}
