import { failure, type Failure } from '../core/failure';
import type { Clock } from '../core/ports';
import { SleepSense } from '../core/sleep-sense';
import type { TaskRow } from '../core/task';

const HOUR_MS = 3_600_000;
/** Looked at this often at least, so that a sleep of the machine is told from work. */
const LOOK_MS = 60_000;

interface DeadlineOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly row: () => TaskRow;
  /** Time that the task has been running, up to now. */
  readonly activeMs: () => number;
  /** The machine slept: so much of the running time was not. */
  readonly onSlept: (lateMs: number) => void;
  /** Called when the deadline is reached, and again while it still is once that has resolved; to false: nothing is left to stop. */
  readonly reached: (why: Failure) => Promise<boolean>;
}

/** Running time left until a task's deadline, in milliseconds; null when it has none. */
export function deadlineLeftMs({ options, deadlineFromMs = 0 }: TaskRow, activeMs: number): number | null {
  if (options.deadlineHours === undefined) return null;
  return options.deadlineHours * HOUR_MS - (activeMs - deadlineFromMs);
}

/** Watches a task's deadline until the signal fires. Resolves at once for a task without one. */
export async function watchDeadline(options: DeadlineOptions): Promise<void> {
  const { clock, signal, row, activeMs, onSlept, reached } = options;
  const sense = new SleepSense(clock);
  while (!signal.aborted) {
    const leftMs = deadlineLeftMs(row(), activeMs());
    if (leftMs === null) return;
    if (leftMs <= 0) {
      const why = failure('deadline_reached', { details: { hours: row().options.deadlineHours ?? 0 } });
      if (!(await reached(why))) return;
    }
    const timerMs = leftMs > 0 ? Math.min(leftMs, LOOK_MS) : 0;
    await clock.sleep(timerMs, signal).catch(() => undefined);
    const slept = sense.woke(timerMs);
    if (slept && leftMs > 0) onSlept(slept.lateMs);
  }
}
