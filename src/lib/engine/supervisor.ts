import { failure } from '../core/failure';
import type { EndpointId, TaskId } from '../core/ids';
import type { Locks } from '../core/ports';
import { fail, isAbort, ok, type Result } from '../core/result';
import { goesOnByItself, hasWorkLeft, isFinished, type Shown, type TaskRow } from '../core/task';
import { Attendance } from './attendance';
import { BriefOwnership } from './brief-ownership';
import type { EffectAnswers } from './effects/answer-effects';
import type { EnginePorts } from './engine-ports';
import { Heartbeat } from './heartbeat';
import type { OwnerChannel, OwnerMessage, TaskCommand } from './owner-channel';
import { TaskLine } from './task-line';
import { commandWish, WishList } from './wish-list';

const WATCH_AGAIN_MS = 2_000;
/** Who was about to delete a task, and has not said since how that went, may be gone; it stood in line long before. */
const RELEASED_MS = 60_000;

/**
 * Decides which tasks this worker works on. One lock a task over all tabs: the holder owns the task, the others stand
 * in line and take over the moment it is free, or when its holder is frozen.
 */
export class Supervisor {
  readonly #ports: EnginePorts;
  readonly #line: TaskLine;
  readonly #channel: OwnerChannel;
  readonly #attending = new Map<TaskId, Attendance>();
  readonly #wishes = new WishList();

  constructor(ports: EnginePorts, locks: Locks, channel: OwnerChannel) {
    this.#ports = ports;
    this.#line = new TaskLine({ ...ports, locks });
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
    for (const attendance of this.#attending.values()) attendance.wake();
    this.#channel.send({ what: 'wake' });
  }

  /** True while this worker runs the task. */
  isRunning(id: TaskId): boolean {
    return this.#attending.get(id)?.isRunning === true;
  }

  /** Writes down what is coming in: the page may be ended at any moment now. */
  flushPartials(): void {
    for (const attendance of this.#attending.values()) attendance.flushPartials();
  }

  /**
   * Carries a command out, here or in the tab that owns the task. `seen` is what the page showed when it was given.
   * Failure: `task_missing`. @default what the row says now
   */
  async command(id: TaskId, command: TaskCommand, seen?: Shown): Promise<Result<void>> {
    const asked = await this.#row(id);
    if (!asked.ok) return asked;
    const { epoch, status } = asked.value;
    // Another tab was faster: what was to go on has come to its end.
    const isPast = seen !== undefined && seen.epoch < epoch && !isFinished(seen.status) && isFinished(status);
    if (command === 'continue' && isPast) return ok();
    const shown = seen ?? { epoch, status };
    const told = this.#attending.get(id)?.tell(command, shown) ?? 'not_ours';
    if (told !== 'not_ours') return ok();
    const isUnderWay = command === 'continue' && goesOnByItself(asked.value);
    if (!isUnderWay) this.#wishes.keepCommand(id, commandWish(this.#ports.store, command, asked.value));
    this.#channel.send({ what: 'command', id, command, shown });
    this.#attend(id);
    return ok();
  }

  /** Changes the number of requests at once, also in mid run. Failure: `task_missing`. */
  async setConcurrency(id: TaskId, concurrency: number): Promise<Result<void>> {
    const row = await this.#row(id);
    if (!row.ok) return row;
    const resized = await this.#resizeOurs(id, concurrency);
    if (resized) return resized;
    const before = row.value.options.concurrency;
    this.#wishes.keepWidth(id, { wanted: concurrency, stillMeant: (now) => now.options.concurrency === before });
    this.#channel.send({ what: 'concurrency', id, concurrency });
    this.#attend(id);
    return ok();
  }

  /** Saves what the person said of effects that wait for them, and has done what it allows. Failure: `task_missing`. */
  async answer(id: TaskId, answers: EffectAnswers): Promise<Result<void>> {
    const row = await this.#row(id);
    if (!row.ok) return row;
    const answered = await this.#attending.get(id)?.answer(answers);
    if (answered) return answered;
    this.#wishes.keepAnswers(id, answers);
    this.#channel.send({ what: 'answer', id, answers });
    this.#attend(id);
    return ok();
  }

  /** Has the task go on with another endpoint; nothing that is out at the old one is awaited. Failures: `task_missing`, `fenced`. */
  async setEndpoint(id: TaskId, endpointId: EndpointId): Promise<Result<void>> {
    const changed = await this.exclusively<Result<void>>(id, async (signal) => {
      const row = await this.#row(id);
      if (!row.ok || row.value.endpointId === endpointId) return row.ok ? ok() : row;
      const moved = await new BriefOwnership({ ports: this.#ports, signal, onOwned: () => undefined }).move(
        row.value,
        endpointId,
      );
      return moved === null ? fail(failure('fenced')) : ok();
    });
    return changed.ok ? this.command(id, 'continue') : changed;
  }

  /**
   * Ends what any worker does for the task, unsaved, and runs `work` as its only holder; a task that is there afterwards
   * goes on. `lost` fires when the task is taken from us, which a holder that was frozen may notice late: what `work`
   * deletes it must fence by the task's epoch.
   */
  async exclusively<T>(id: TaskId, work: (lost: AbortSignal) => Promise<T>): Promise<T> {
    const ended = this.#attending.get(id)?.ended;
    this.#release(id);
    this.#channel.send({ what: 'release', id });
    await ended?.catch(() => undefined);
    try {
      return await this.#line.hold(id, new AbortController().signal, async (lost) => {
        const heartbeat = this.#heartbeat(id, () => undefined);
        try {
          return await work(lost);
        } finally {
          heartbeat.stop();
        }
      });
    } finally {
      void this.#lookAgain(id);
      this.#channel.send({ what: 'released', id });
    }
  }

  #heartbeat(id: TaskId, onTaken: () => void): Heartbeat {
    const sayAlive = () => this.#channel.send({ what: 'alive', id });
    return new Heartbeat({ ...this.#ports, id, sayAlive, onTaken });
  }

  #receive(message: OwnerMessage): void {
    switch (message.what) {
      case 'command': {
        const told = this.#attending.get(message.id)?.tell(message.command, message.shown);
        // All else can be told from the rows.
        const isSaid = told === 'done' && message.command === 'continue';
        if (isSaid) this.#channel.send({ what: 'done', id: message.id, asked: 'continue' });
        return;
      }
      case 'concurrency':
        void this.#resizeOurs(message.id, message.concurrency);
        return;
      case 'answer':
        void this.#attending.get(message.id)?.answer(message.answers);
        return;
      case 'done':
        if (message.asked === 'concurrency') this.#wishes.dropWidth(message.id);
        else this.#wishes.dropCommand(message.id, message.asked);
        return;
      case 'release':
        this.#release(message.id);
        void this.#ports.clock.sleep(RELEASED_MS).then(() => this.#lookAgain(message.id));
        return;
      case 'released':
        void this.#lookAgain(message.id);
        return;
      case 'alive':
        this.#line.heard(message.id);
        return;
      case 'wake':
        for (const attendance of this.#attending.values()) attendance.wake();
        return;
    }
  }

  async #row(id: TaskId): Promise<Result<TaskRow>> {
    const row = await this.#ports.store.task(id);
    if (!row.ok) return row;
    return row.value ? ok(row.value) : fail(failure('task_missing'));
  }

  /** Null when the task is not ours. */
  async #resizeOurs(id: TaskId, concurrency: number): Promise<Result<void> | null> {
    const resized = (await this.#attending.get(id)?.resize(concurrency)) ?? null;
    if (resized?.ok) this.#channel.send({ what: 'done', id, asked: 'concurrency' });
    return resized;
  }

  #release(id: TaskId): void {
    const attendance = this.#attending.get(id);
    attendance?.leave.abort();
    attendance?.stop.abort();
  }

  /** Whether a task that was released is there after all. */
  async #lookAgain(id: TaskId): Promise<void> {
    const { store, clock } = this.#ports;
    const attendance = this.#attending.get(id);
    if (attendance?.leave.signal.aborted) await attendance.ended.catch(() => undefined);
    const row = await store.task(id);
    if (!row.ok && row.failure.verdict === 'wait') {
      void clock.sleep(WATCH_AGAIN_MS).then(() => this.#lookAgain(id));
    } else if (!row.ok || row.value === null) {
      this.#wishes.take(id);
    } else if (hasWorkLeft(row.value) || this.#wishes.has(id)) {
      this.#attend(id);
    }
  }

  #attend(id: TaskId): void {
    if (this.#attending.has(id)) return;
    const attendance = new Attendance({ ports: this.#ports, id, wishes: this.#wishes });
    this.#attending.set(id, attendance);
    attendance.ended = this.#standInLine(id, attendance);
  }

  async #standInLine(id: TaskId, attendance: Attendance): Promise<void> {
    const { signal } = attendance.leave;
    try {
      await this.#line.hold(id, signal, (lost) => this.#asHolder(id, attendance, lost));
    } catch (error) {
      if (!isAbort(error)) throw error;
    } finally {
      this.#attending.delete(id);
    }
    if ((attendance.stop.signal.aborted || this.#wishes.has(id)) && !signal.aborted) this.#attend(id);
  }

  async #asHolder(id: TaskId, attendance: Attendance, lost: AbortSignal): Promise<void> {
    attendance.isHolding = true;
    const onTaken = () => attendance.stop.abort();
    const heartbeat = this.#heartbeat(id, onTaken);
    lost.addEventListener('abort', onTaken, { once: true });
    if (lost.aborted) onTaken();
    try {
      await attendance.act(heartbeat);
    } finally {
      heartbeat.stop();
      await this.#ports.store.release(id);
    }
  }
}
