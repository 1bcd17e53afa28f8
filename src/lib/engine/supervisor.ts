import { failure } from '../core/failure';
import type { TaskId } from '../core/ids';
import type { Locks } from '../core/ports';
import { fail, isAbort, ok, type Result } from '../core/result';
import { canTaskMove, goesOnByItself, hasWorkLeft, isFinished, type TaskRow } from '../core/task';
import { CommitRefused } from './committer';
import type { EnginePorts } from './engine-ports';
import { OwnedTask } from './owned-task';
import { TaskRun } from './task-run';
import { untilStored } from './until-stored';
import { Wakeup } from './wakeup';
import { writeOutput } from './write-output';

export type TaskCommand = 'continue' | 'retry_failed' | 'pause' | 'cancel' | 'write_output';

/** Carries a command to the tab that owns the task, whichever that is. */
export interface OwnerChannel {
  send(message: OwnerMessage): void;
  onMessage(listener: (message: OwnerMessage) => void): void;
}

export type OwnerMessage =
  | { readonly what: 'command'; readonly id: TaskId; readonly command: TaskCommand }
  | { readonly what: 'concurrency'; readonly id: TaskId; readonly concurrency: number }
  /** The task is about to be deleted: nobody should work on it or wait for it. */
  | { readonly what: 'release'; readonly id: TaskId }
  | { readonly what: 'wake' };

/** What the person asked for, waiting for the lock. Once the row has moved on, somebody else has answered it. */
interface Wish<T> {
  readonly wanted: T;
  readonly stillMeant: (row: TaskRow) => boolean;
}

interface Attendance {
  readonly ended: Promise<void>;
  readonly leave: AbortController;
  /** The lock is ours. */
  isHolding: boolean;
  run: TaskRun | null;
}

const WATCH_AGAIN_MS = 2_000;

/**
 * Decides which tasks this worker works on. One lock a task over all tabs: the holder owns the task, the others stand
 * in line and take over the moment it is free. What to do is decided by the row, read under the lock.
 */
export class Supervisor {
  readonly #ports: EnginePorts;
  readonly #locks: Locks;
  readonly #channel: OwnerChannel;
  readonly #attending = new Map<TaskId, Attendance>();
  readonly #wishes = new Map<TaskId, Wish<TaskCommand>>();
  readonly #widths = new Map<TaskId, Wish<number>>();

  constructor(ports: EnginePorts, locks: Locks, channel: OwnerChannel) {
    this.#ports = ports;
    this.#locks = locks;
    this.#channel = channel;
    channel.onMessage((message) => this.#receive(message));
  }

  /** Stands in line for every task that should go on or has output to write; later, while storage refuses. */
  async watch(): Promise<void> {
    const { store, clock } = this.#ports;
    const tasks = await store.tasks();
    if (tasks.ok) {
      for (const task of tasks.value) if (hasWorkLeft(task)) this.#attend(task.id);
    } else if (tasks.failure.verdict === 'wait') {
      void clock.sleep(WATCH_AGAIN_MS).then(() => this.watch());
    }
  }

  /** Looks again at whatever is parked, here and in other tabs. */
  wake(): void {
    for (const { run } of this.#attending.values()) run?.wake();
    this.#channel.send({ what: 'wake' });
  }

  /** Carries a command out, here or in the tab that owns the task. Failure: `task_missing`. */
  async command(id: TaskId, command: TaskCommand): Promise<Result<void>> {
    const row = await this.#ports.store.task(id);
    if (!row.ok) return row;
    if (!row.value) return fail(failure('task_missing'));
    if (this.#tell(id, command, row.value)) return ok();
    const asked = row.value;
    const isUnderWay = command === 'continue' && goesOnByItself(asked);
    if (!isUnderWay) this.#wishes.set(id, { wanted: command, stillMeant: (now) => isSameState(asked, now) });
    this.#channel.send({ what: 'command', id, command });
    this.#attend(id);
    return ok();
  }

  /** Changes the number of requests at once, also in mid run. Failure: `task_missing`. */
  async setConcurrency(id: TaskId, concurrency: number): Promise<Result<void>> {
    const run = this.#attending.get(id)?.run;
    if (run && !run.isStopping) return resized(run, concurrency);
    const row = await this.#ports.store.task(id);
    if (!row.ok) return row;
    if (!row.value) return fail(failure('task_missing'));
    const before = row.value.options.concurrency;
    this.#widths.set(id, { wanted: concurrency, stillMeant: (now) => now.options.concurrency === before });
    this.#channel.send({ what: 'concurrency', id, concurrency });
    this.#attend(id);
    return ok();
  }

  /** Ends what any worker does for the task, unsaved, and runs `work` as its only holder. */
  async exclusively<T>(id: TaskId, work: () => Promise<T>): Promise<T> {
    const ended = this.#attending.get(id)?.ended;
    this.#release(id);
    this.#channel.send({ what: 'release', id });
    await ended?.catch(() => undefined);
    return this.#locks.hold(lockName(id), new AbortController().signal, work);
  }

  #receive(message: OwnerMessage): void {
    switch (message.what) {
      case 'command':
        this.#tell(message.id, message.command, null);
        return;
      case 'concurrency': {
        const run = this.#attending.get(message.id)?.run;
        if (run && !run.isStopping) void resized(run, message.concurrency);
        return;
      }
      case 'release':
        this.#release(message.id);
        return;
      case 'wake':
        for (const { run } of this.#attending.values()) run?.wake();
        return;
    }
  }

  #release(id: TaskId): void {
    const attendance = this.#attending.get(id);
    this.#wishes.delete(id);
    this.#widths.delete(id);
    attendance?.leave.abort();
    attendance?.run?.abandon();
  }

  /**
   * Gives a command to the run of ours. A holder without a run, or with one that is ending, leaves the row in another
   * state than it is in now: the command is kept for the holder after it. False when the task is not ours.
   */
  #tell(id: TaskId, command: TaskCommand, asked: TaskRow | null): boolean {
    const attendance = this.#attending.get(id);
    if (!attendance?.isHolding) return false;
    const { run } = attendance;
    if (run && !run.isStopping) {
      if (command === 'pause' || command === 'cancel') {
        run.stop(command);
        return true;
      }
      if (command === 'retry_failed' && run.retryFailed()) return true;
      const isAnswered = command === 'continue' && !(asked && isFinished(asked.status));
      if (isAnswered) {
        run.proceed();
        return true;
      }
    }
    this.#wishes.set(id, { wanted: command, stillMeant: () => true });
    return true;
  }

  #attend(id: TaskId): void {
    if (this.#attending.has(id)) return;
    const attendance: Attendance = {
      leave: new AbortController(),
      ended: Promise.resolve(),
      isHolding: false,
      run: null,
    };
    this.#attending.set(id, attendance);
    Object.assign(attendance, { ended: this.#standInLine(id, attendance) });
  }

  async #standInLine(id: TaskId, attendance: Attendance): Promise<void> {
    const { signal } = attendance.leave;
    let isFenced = false;
    try {
      isFenced = await this.#locks.hold(lockName(id), signal, () => this.#asHolder(id, attendance));
    } catch (error) {
      if (!isAbort(error)) throw error;
    } finally {
      this.#attending.delete(id);
    }
    const isWished = this.#wishes.has(id) || this.#widths.has(id);
    if ((isFenced || isWished) && !signal.aborted) this.#attend(id);
  }

  /** Resolves to whether the task was taken from us while we held the lock: then we stand in line again. */
  async #asHolder(id: TaskId, attendance: Attendance): Promise<boolean> {
    attendance.isHolding = true;
    try {
      return await this.#act(id, attendance);
    } finally {
      await this.#ports.store.release(id);
    }
  }

  async #act(id: TaskId, attendance: Attendance): Promise<boolean> {
    const { store, clock } = this.#ports;
    const { signal } = attendance.leave;
    const row = await untilStored(clock, signal, () => store.task(id));
    const wish = take(this.#wishes, id);
    const width = take(this.#widths, id);
    if (signal.aborted || !row.ok || !row.value) return false;
    const command = wish?.stillMeant(row.value) ? wish.wanted : null;
    if (width?.stillMeant(row.value)) await this.#widen(row.value, width.wanted, signal);
    return this.#carryOut(row.value, command, attendance);
  }

  async #carryOut(row: TaskRow, command: TaskCommand | null, attendance: Attendance): Promise<boolean> {
    const { signal } = attendance.leave;
    if (signal.aborted) return false;
    if (command === 'pause' || command === 'cancel') {
      const isLegal = canTaskMove(row.status, command === 'pause' ? 'paused' : 'cancelled');
      if (isLegal) await this.#settle(row, command, signal);
    } else if (command === 'write_output' || (row.output === 'due' && row.status === 'completed' && command === null)) {
      await this.#write(row, signal);
    } else if (command === 'continue' || command === 'retry_failed' || goesOnByItself(row)) {
      attendance.run = new TaskRun(this.#ports, row.id);
      const ran = await attendance.run.run({ retryFailed: command === 'retry_failed' });
      return !ran.ok && ran.failure.code === 'fenced';
    }
    return false;
  }

  #widen(row: TaskRow, concurrency: number, signal: AbortSignal): Promise<void> {
    return this.#asOwner(row, signal, (owned) =>
      owned.change({ options: { ...owned.row.options, concurrency } }, 'concurrency_changed', null, { concurrency }),
    );
  }

  /** A task that nobody runs is paused or cancelled in its row alone. */
  async #settle(row: TaskRow, command: 'pause' | 'cancel', signal: AbortSignal): Promise<void> {
    const ended = { failure: null, hold: null } as const;
    await this.#asOwner(row, signal, (owned) =>
      command === 'pause'
        ? owned.change({ ...ended, status: 'paused', reason: 'user' }, 'paused', null, { reason: 'user' })
        : owned.change(
            { ...ended, status: 'cancelled', reason: null, finishedMs: this.#ports.clock.now() },
            'cancelled',
          ),
    );
  }

  async #write(row: TaskRow, signal: AbortSignal): Promise<void> {
    if (!row.report) return;
    const report = await this.#ports.store.result(row.report);
    if (!report.ok || !report.value) return;
    const text = report.value.output;
    await this.#asOwner(row, signal, (owned) => writeOutput(this.#ports, owned, text));
  }

  /** Takes the task over for one change of its row. Given up when another takes it, and when the signal fires. */
  async #asOwner(row: TaskRow, signal: AbortSignal, work: (owned: OwnedTask) => Promise<unknown>): Promise<void> {
    const { store, clock } = this.#ports;
    const taken = await untilStored(clock, signal, () => store.own(row.id, clock.now()));
    if (!taken.ok) return;
    const owned = new OwnedTask(this.#ports, taken.value, signal, new Wakeup());
    const leave = () => owned.abandon();
    signal.addEventListener('abort', leave);
    try {
      await work(owned);
    } catch (error) {
      if (!(error instanceof CommitRefused)) throw error;
    } finally {
      signal.removeEventListener('abort', leave);
      await owned.drained();
    }
  }
}

async function resized(run: TaskRun, concurrency: number): Promise<Result<void>> {
  try {
    await run.resize(concurrency);
    return ok();
  } catch (error) {
    if (error instanceof CommitRefused) return fail(error.failure);
    throw error;
  }
}

function take<T>(wishes: Map<TaskId, T>, id: TaskId): T | undefined {
  const wish = wishes.get(id);
  wishes.delete(id);
  return wish;
}

function isSameState(asked: TaskRow, now: TaskRow): boolean {
  return asked.epoch === now.epoch && asked.status === now.status && asked.reason === now.reason;
}

function lockName(id: TaskId): string {
  return `task/${id}`;
}
