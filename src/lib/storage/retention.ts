import type { FolderRow } from '../core/folder';
import { unfinishedForkOf } from '../core/fork-origin';
import type { TaskId } from '../core/ids';
import type { CheckpointStore, Removal } from '../core/ports';
import { ok, type Result } from '../core/result';
import { isFinished, type TaskRow } from '../core/task';

const DAY_MS = 86_400_000;
/** No task can be older; a row that says so was written by a clock that was not set. */
const EARLIEST_SANE_MS = Date.UTC(2025, 0, 1);
/** After that long without a sweep either nobody was here or the clock was moved: nothing goes at once. */
const LONGEST_GAP_MS = 7 * DAY_MS;
const GRACE_MS = DAY_MS;
/** Results that nothing uses are worth keeping at least that long: a file may be changed back. */
const UNUSED_RESULT_DAYS = 30;

/**
 * When a task will be deleted, in Unix milliseconds; null for never: it is not finished, tasks are kept for ever
 * (`retentionDays` 0), or its dates cannot be right. `heldUntilMs` is the note's, see `judgeSweep`.
 */
export function nextExpiry(task: TaskRow, retentionDays: number, heldUntilMs = 0): number | null {
  if (!isFinished(task.status) || !(retentionDays > 0)) return null;
  const lastMs = Math.max(task.createdMs, task.updatedMs, task.finishedMs ?? 0);
  if (!(lastMs >= EARLIEST_SANE_MS)) return null;
  return Math.max(lastMs + retentionDays * DAY_MS, heldUntilMs);
}

/** The tasks whose time is over, the oldest first. */
export function expiredTasks(tasks: readonly TaskRow[], retentionDays: number, nowMs: number): readonly TaskRow[] {
  return tasks
    .filter((task) => (nextExpiry(task, retentionDays) ?? Infinity) < nowMs)
    .sort((a, b) => a.updatedMs - b.updatedMs);
}

/** What one sweep leaves for the next. */
export interface SweepNote {
  readonly lastMs: number;
  /** Nothing is deleted before. */
  readonly heldUntilMs: number;
}

/**
 * Whether a sweep may delete now. The wall clock cannot be trusted: after a jump of years every task looks expired.
 * So on the first sweep, after a long gap, and when the clock went back, a day of grace begins in which people see
 * what would go, and a clock put right again ends the matter.
 */
export function judgeSweep(note: SweepNote | null, nowMs: number): { mayDelete: boolean; note: SweepNote } {
  const trusted = note !== null && nowMs >= note.lastMs && nowMs - note.lastMs <= LONGEST_GAP_MS;
  const heldUntilMs = trusted ? note.heldUntilMs : nowMs + GRACE_MS;
  return { mayDelete: nowMs >= heldUntilMs, note: { lastMs: nowMs, heldUntilMs } };
}

export interface SweepMemory {
  note(): Promise<Result<SweepNote | null>>;
  putNote(note: SweepNote): Promise<Result<void>>;
}

export interface SweptStore extends Pick<CheckpointStore, 'tasks' | 'task' | 'removeTask'> {
  tidy(resultsBeforeMs: number): Promise<Result<Removal>>;
}

/** Runs `work` as the task's only holder over all tabs. */
export type Exclusively = <T>(id: TaskId, work: () => Promise<T>) => Promise<T>;

export interface Sweep extends Removal {
  readonly removedTasks: readonly TaskId[];
}

interface SweepOptions {
  readonly store: SweptStore;
  readonly memory: SweepMemory;
  readonly exclusively: Exclusively;
  readonly retentionDays: number;
  readonly nowMs: number;
}

/** Deletes what has expired and finishes what an earlier removal left. Some time after the start and then hourly is plenty. */
export async function sweepExpired({
  store,
  memory,
  exclusively,
  retentionDays,
  nowMs,
}: SweepOptions): Promise<Result<Sweep>> {
  const last = await memory.note();
  if (!last.ok) return last;
  const { mayDelete, note } = judgeSweep(last.value, nowMs);
  const noted = await memory.putNote(note);
  if (!noted.ok) return noted;

  const removedFolders: FolderRow[] = [];
  const removedTasks: TaskId[] = [];
  const mayExpire = mayDelete && retentionDays > 0;
  const tidied = await store.tidy(mayExpire ? nowMs - Math.max(retentionDays, UNUSED_RESULT_DAYS) * DAY_MS : 0);
  if (!tidied.ok) return tidied;
  removedFolders.push(...tidied.value.removedFolders);
  if (!mayExpire) return ok({ removedTasks, removedFolders });

  const tasks = await store.tasks();
  if (!tasks.ok) return tasks;
  for (const { id } of expiredTasks(tasks.value, retentionDays, nowMs)) {
    if (unfinishedForkOf(tasks.value, id)) continue;
    // Others let go of it at once, so it is looked at before they are told: a sweep may take minutes.
    const before = await expired(store, id, retentionDays, nowMs);
    if (!before.ok) return before;
    if (before.value === null) continue;
    const removal = await exclusively(id, () => removeIfExpired(store, id, retentionDays, nowMs));
    if (!removal.ok) return removal;
    if (removal.value === null) continue;
    removedTasks.push(id);
    removedFolders.push(...removal.value.removedFolders);
  }
  return ok({ removedTasks, removedFolders });
}

/** Looked at again: it may have been set going meanwhile. Its epoch tells if that happens even now, or if it is forked. */
async function removeIfExpired(
  store: SweptStore,
  id: TaskId,
  retentionDays: number,
  nowMs: number,
): Promise<Result<Removal | null>> {
  const current = await expired(store, id, retentionDays, nowMs);
  if (!current.ok) return current;
  if (current.value === null) return ok(null);
  const removal = await store.removeTask(id, current.value.epoch);
  return !removal.ok && removal.failure.code === 'fenced' ? ok(null) : removal;
}

/** The task as it is now; null when its time is not over. */
async function expired(
  store: SweptStore,
  id: TaskId,
  retentionDays: number,
  nowMs: number,
): Promise<Result<TaskRow | null>> {
  const current = await store.task(id);
  if (!current.ok || current.value === null) return current;
  return ok(expiredTasks([current.value], retentionDays, nowMs)[0] ?? null);
}
