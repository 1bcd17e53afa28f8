import { failure } from '../core/failure';
import type { TaskId } from '../core/ids';
import type { Locks } from '../core/ports';
import { fail, isAbort, ok, type Result } from '../core/result';
import { goesOnByItself, isFinished, type TaskRow } from '../core/task';
import type { EnginePorts } from './engine-ports';
import { OwnedTask } from './owned-task';
import { TaskRun } from './task-run';
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
  | { readonly what: 'wake' };

/** What the person asked for, waiting for the lock. Once the row has moved on, somebody else has answered it. */
interface Wish {
  readonly command: TaskCommand;
  readonly stillMeant: (row: TaskRow) => boolean;
}

interface Attendance {
  readonly ended: Promise<void>;
  readonly leave: AbortController;
  run: TaskRun | null;
}

/**
 * Decides which tasks this worker works on. One lock a task over all tabs: the holder owns the task, the others stand
 * in line and take over the moment it is free. What to do is decided by the row, read under the lock.
 */
export class Supervisor {
  readonly #ports: EnginePorts;
  readonly #locks: Locks;
  readonly #channel: OwnerChannel;
  readonly #attending = new Map<TaskId, Attendance>();
  readonly #wishes = new Map<TaskId, Wish>();

  constructor(ports: EnginePorts, locks: Locks, channel: OwnerChannel) {
    this.#ports = ports;
    this.#locks = locks;
    this.#channel = channel;
    channel.onMessage((message) => this.#receive(message));
  }

  /** Stands in line for every task that should go on or has output to write. */
  async watch(): Promise<void> {
    const tasks = await this.#ports.store.tasks();
    if (!tasks.ok) return;
    for (const task of tasks.value) if (goesOnByItself(task) || task.output === 'due') this.#attend(task.id);
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
    const run = this.#attending.get(id)?.run;
    if (run && !run.isStopping) {
      this.#tell(id, command);
      return ok();
    }
    const asked = row.value;
    const isUnderWay = command === 'continue' && goesOnByItself(asked);
    // A run of ours that is just ending will leave the row in another state than the one read above.
    if (run) this.#wishes.set(id, { command, stillMeant: () => true });
    else if (!isUnderWay) this.#wishes.set(id, { command, stillMeant: (now) => isSameState(asked, now) });
    this.#channel.send({ what: 'command', id, command });
    this.#attend(id);
    return ok();
  }

  /** Changes the number of requests at once, also in mid run. */
  async setConcurrency(id: TaskId, concurrency: number): Promise<Result<void>> {
    const run = this.#attending.get(id)?.run;
    if (run) {
      await run.resize(concurrency);
      return ok();
    }
    const row = await this.#ports.store.task(id);
    if (!row.ok) return row;
    if (!row.value) return fail(failure('task_missing'));
    if (goesOnByItself(row.value) || row.value.reason === 'attention') {
      this.#channel.send({ what: 'concurrency', id, concurrency });
      return ok();
    }
    const rested = row.value;
    await this.#locks.hold(lockName(id), new AbortController().signal, () =>
      this.#asOwner(rested, (owned) =>
        owned.change({ options: { ...owned.row.options, concurrency } }, 'concurrency_changed', null, { concurrency }),
      ),
    );
    return ok();
  }

  /** Ends what this worker does for the task and runs `work` as its only holder. */
  async exclusively<T>(id: TaskId, work: () => Promise<T>): Promise<T> {
    const attendance = this.#attending.get(id);
    this.#wishes.delete(id);
    attendance?.run?.stop('cancel');
    attendance?.leave.abort();
    this.#channel.send({ what: 'command', id, command: 'cancel' });
    await attendance?.ended;
    return this.#locks.hold(lockName(id), new AbortController().signal, work);
  }

  #receive(message: OwnerMessage): void {
    switch (message.what) {
      case 'command':
        this.#tell(message.id, message.command);
        return;
      case 'concurrency':
        void this.#attending.get(message.id)?.run?.resize(message.concurrency);
        return;
      case 'wake':
        for (const { run } of this.#attending.values()) run?.wake();
        return;
    }
  }

  #tell(id: TaskId, command: TaskCommand): void {
    const run = this.#attending.get(id)?.run;
    if (!run) return;
    if (command === 'pause' || command === 'cancel') run.stop(command);
    else run.wake();
  }

  #attend(id: TaskId): void {
    if (this.#attending.has(id)) return;
    const leave = new AbortController();
    const attendance: Attendance = { leave, run: null, ended: Promise.resolve() };
    const ended = this.#locks
      .hold(lockName(id), leave.signal, () => this.#asHolder(id, attendance))
      .catch((error: unknown) => {
        if (isAbort(error)) return false;
        throw error;
      })
      .then((isFenced) => {
        this.#attending.delete(id);
        if ((isFenced || this.#wishes.has(id)) && !leave.signal.aborted) this.#attend(id);
      });
    this.#attending.set(id, Object.assign(attendance, { ended }));
  }

  /** Resolves to whether the task was taken from us while we held the lock: then we stand in line again. */
  async #asHolder(id: TaskId, attendance: Attendance): Promise<boolean> {
    const read = await this.#ports.store.task(id);
    const row = read.ok ? read.value : null;
    const wish = this.#wishes.get(id);
    this.#wishes.delete(id);
    if (!row) return false;
    const command = wish?.stillMeant(row) ? wish.command : null;
    if (command === 'pause' || command === 'cancel') {
      if (!isFinished(row.status)) await this.#settle(row, command);
    } else if (command === 'write_output' || (row.output === 'due' && row.status === 'completed' && command === null)) {
      await this.#write(row);
    } else if (command === 'continue' || command === 'retry_failed' || goesOnByItself(row)) {
      attendance.run = new TaskRun(this.#ports, id);
      const ran = await attendance.run.run({ retryFailed: command === 'retry_failed' });
      return !ran.ok && ran.failure.code === 'fenced';
    }
    return false;
  }

  /** A task that nobody runs is paused or cancelled in its row alone. */
  async #settle(row: TaskRow, command: 'pause' | 'cancel'): Promise<void> {
    await this.#asOwner(row, (owned) =>
      command === 'pause'
        ? owned.change({ status: 'paused', reason: 'user', failure: null, hold: null }, 'paused', null, {
            reason: 'user',
          })
        : owned.change({ status: 'cancelled', reason: null, finishedMs: this.#ports.clock.now() }, 'cancelled'),
    );
  }

  async #write(row: TaskRow): Promise<void> {
    if (!row.report) return;
    const report = await this.#ports.store.result(row.report);
    if (!report.ok || !report.value) return;
    const text = report.value.output;
    await this.#asOwner(row, (owned) => writeOutput(this.#ports, owned, text));
  }

  async #asOwner(row: TaskRow, work: (owned: OwnedTask) => Promise<unknown>): Promise<void> {
    const taken = await this.#ports.store.own(row.id, this.#ports.clock.now());
    if (!taken.ok) return;
    const owned = new OwnedTask(this.#ports, taken.value, new AbortController().signal, new Wakeup());
    await work(owned);
    await owned.drained();
  }
}

function isSameState(asked: TaskRow, now: TaskRow): boolean {
  return asked.epoch === now.epoch && asked.status === now.status && asked.reason === now.reason;
}

function lockName(id: TaskId): string {
  return `task/${id}`;
}
