import { goesOnByItself, type TaskRow } from '../core/task';

/** What a start came upon: tasks that had been running when the app was last closed or killed. */
export interface FoundAtStart {
  /** That have gone on by themselves. */
  readonly count: number;
  /** That wait for the person. */
  readonly waiting: number;
  /** When the last of them had last saved something, in Unix milliseconds. */
  readonly lastSavedMs: number;
}

type Seen = Pick<TaskRow, 'id' | 'status' | 'reason' | 'updatedMs' | 'recovery'>;

/** Remembers what the first look at the tasks showed, and tells which of them went on by themselves since. */
export class StartFindings {
  #startMs = 0;
  #running = $state.raw<ReadonlyMap<string, number> | null>(null);

  /** Counts once: whatever is running later was not found. */
  remember(tasks: readonly Seen[], nowMs: number): void {
    if (this.#running !== null) return;
    this.#startMs = nowMs;
    const running = tasks.filter(({ status }) => status === 'running');
    this.#running = new Map(running.map(({ id, updatedMs }) => [id, updatedMs]));
  }

  /** Null when nothing had been running. A task that another tab goes on with was not found by anybody. */
  of(tasks: readonly Seen[]): FoundAtStart | null {
    const taken = tasks.filter(
      ({ id, recovery }) => this.#running?.has(id) && recovery !== null && recovery.atMs >= this.#startMs,
    );
    const savedMs = taken.map(({ id }) => this.#running?.get(id) ?? 0);
    const waiting = taken.filter(isWaiting).length;
    return taken.length === 0 ? null : { count: taken.length - waiting, waiting, lastSavedMs: Math.max(...savedMs) };
  }
}

function isWaiting({ status, reason }: Seen): boolean {
  return (
    status === 'failed' || (status === 'paused' && (reason === 'permission' || !goesOnByItself({ status, reason })))
  );
}

export const startFindings = new StartFindings();
