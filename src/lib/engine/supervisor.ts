import { failure } from '../core/failure';
import type { TaskId } from '../core/ids';
import type { Locks } from '../core/ports';
import { fail, isAbort, ok, type Result } from '../core/result';
import { canTaskMove, goesOnByItself, hasWorkLeft, isFinished, type TaskRow } from '../core/task';
import { BriefOwnership } from './brief-ownership';
import { CommitRefused } from './committer';
import type { EffectAnswers } from './effects/answer-effects';
import type { EnginePorts } from './engine-ports';
import { Heartbeat } from './heartbeat';
import type { OwnerChannel, OwnerMessage, TaskCommand } from './owner-channel';
import { TaskLine } from './task-line';
import { TaskRun } from './task-run';
import { untilStored } from './until-stored';

/** What the person asked for, waiting for the lock. Once the row has moved on, somebody else has answered it. */
interface Wish<T> {
  readonly wanted: T;
  readonly stillMeant: (row: TaskRow) => boolean;
}

interface Attendance {
  readonly ended: Promise<void>;
  readonly leave: AbortController;
  /** Ends what we do as the holder: we are to leave, or another has taken the task. */
  readonly stop: AbortController;
  /** The lock is ours. */
  isHolding: boolean;
  run: TaskRun | null;
}

const WATCH_AGAIN_MS = 2_000;

/**
 * Decides which tasks this worker works on. One lock a task over all tabs: the holder owns the task, the others stand
 * in line and take over the moment it is free, or when its holder is frozen. What to do is decided by the row, read under
 * the lock.
 */
export class Supervisor {
  readonly #ports: EnginePorts;
  readonly #line: TaskLine;
  readonly #channel: OwnerChannel;
  readonly #attending = new Map<TaskId, Attendance>();
  readonly #wishes = new Map<TaskId, Wish<TaskCommand>>();
  readonly #widths = new Map<TaskId, Wish<number>>();
  readonly #answers = new Map<TaskId, readonly EffectAnswers[]>();

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
    for (const { run } of this.#attending.values()) run?.wake();
    this.#channel.send({ what: 'wake' });
  }

  /** True while this worker runs the task. */
  isRunning(id: TaskId): boolean {
    return this.#attending.get(id)?.run?.isStopping === false;
  }

  /** Writes down what is coming in: the page may be ended at any moment now. */
  flushPartials(): void {
    for (const { run } of this.#attending.values()) run?.flushPartials();
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

  /** Saves what the person said of effects that wait for them, and has done what it allows. Failure: `task_missing`. */
  async answer(id: TaskId, answers: EffectAnswers): Promise<Result<void>> {
    const run = this.#attending.get(id)?.run;
    if (run && !run.isStopping) return unlessRefused(run.answer(answers));
    const row = await this.#ports.store.task(id);
    if (!row.ok) return row;
    if (!row.value) return fail(failure('task_missing'));
    this.#answers.set(id, [...(this.#answers.get(id) ?? []), answers]);
    this.#channel.send({ what: 'answer', id, answers });
    this.#attend(id);
    return ok();
  }

  /**
   * Ends what any worker does for the task, unsaved, and runs `work` as its only holder. `lost` fires when the task is
   * taken from us, which a holder that was frozen may notice late: what `work` deletes it must fence by the task's epoch.
   */
  async exclusively<T>(id: TaskId, work: (lost: AbortSignal) => Promise<T>): Promise<T> {
    const ended = this.#attending.get(id)?.ended;
    this.#release(id);
    this.#channel.send({ what: 'release', id });
    await ended?.catch(() => undefined);
    return this.#line.hold(id, new AbortController().signal, async (lost) => {
      const heartbeat = this.#heartbeat(id, () => undefined);
      try {
        return await work(lost);
      } finally {
        heartbeat.stop();
      }
    });
  }

  #heartbeat(id: TaskId, onTaken: () => void): Heartbeat {
    const sayAlive = () => this.#channel.send({ what: 'alive', id });
    return new Heartbeat({ ...this.#ports, id, sayAlive, onTaken });
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
      case 'answer': {
        const run = this.#attending.get(message.id)?.run;
        if (run && !run.isStopping) void unlessRefused(run.answer(message.answers));
        return;
      }
      case 'release':
        this.#release(message.id);
        return;
      case 'alive':
        this.#line.heard(message.id);
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
    this.#answers.delete(id);
    attendance?.leave.abort();
    attendance?.stop.abort();
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
      stop: new AbortController(),
      ended: Promise.resolve(),
      isHolding: false,
      run: null,
    };
    this.#attending.set(id, attendance);
    Object.assign(attendance, { ended: this.#standInLine(id, attendance) });
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
    const isWished = [this.#wishes, this.#widths, this.#answers].some((each) => each.has(id));
    if ((attendance.stop.signal.aborted || isWished) && !signal.aborted) this.#attend(id);
  }

  async #asHolder(id: TaskId, attendance: Attendance, lost: AbortSignal): Promise<void> {
    attendance.isHolding = true;
    const { stop } = attendance;
    stop.signal.addEventListener('abort', () => attendance.run?.abandon(), { once: true });
    const onTaken = () => stop.abort();
    const heartbeat = this.#heartbeat(id, onTaken);
    lost.addEventListener('abort', onTaken, { once: true });
    if (lost.aborted) onTaken();
    try {
      await this.#act(id, attendance, heartbeat);
    } finally {
      heartbeat.stop();
      await this.#ports.store.release(id);
    }
  }

  async #act(id: TaskId, attendance: Attendance, heartbeat: Heartbeat): Promise<void> {
    const { store, clock } = this.#ports;
    const { signal } = attendance.stop;
    const row = await untilStored(clock, signal, () => store.task(id));
    // What the person asked for is kept for the next time that the task is ours.
    if (signal.aborted) return;
    const wish = take(this.#wishes, id);
    const width = take(this.#widths, id);
    const answers = take(this.#answers, id) ?? [];
    if (!row.ok || !row.value) return;
    const command = wish?.stillMeant(row.value) ? wish.wanted : null;
    const onOwned = (epoch: number) => heartbeat.own(epoch);
    const brief = new BriefOwnership({ ports: this.#ports, signal, onOwned });
    if (width?.stillMeant(row.value)) await brief.widen(row.value, width.wanted);
    for (const each of answers) await brief.answer(row.value, each);
    const answered = answers.length === 0 ? row : await untilStored(clock, signal, () => store.task(id));
    if (!answered.ok || !answered.value) return;
    const isAnswer = answers.length > 0 && answered.value.status === 'paused' && answered.value.reason === 'approval';
    const next = command ?? (isAnswer ? 'continue' : null);
    await this.#carryOut(answered.value, next, attendance, brief, onOwned);
  }

  async #carryOut(
    row: TaskRow,
    command: TaskCommand | null,
    attendance: Attendance,
    brief: BriefOwnership,
    onOwned: (epoch: number) => void,
  ): Promise<void> {
    if (attendance.stop.signal.aborted) return;
    if (command === 'pause' || command === 'cancel') {
      const isLegal = canTaskMove(row.status, command === 'pause' ? 'paused' : 'cancelled');
      if (isLegal) await brief.settle(row, command);
    } else if (command === 'write_output' || (row.output === 'due' && row.status === 'completed' && command === null)) {
      await brief.write(row);
    } else if (command === 'continue' || command === 'retry_failed' || goesOnByItself(row)) {
      attendance.run = new TaskRun(this.#ports, row.id, onOwned);
      const ran = await attendance.run.run({ retryFailed: command === 'retry_failed', isAsked: command !== null });
      if (!ran.ok && ran.failure.code === 'fenced') attendance.stop.abort();
    }
  }
}

function resized(run: TaskRun, concurrency: number): Promise<Result<void>> {
  return unlessRefused(run.resize(concurrency));
}

async function unlessRefused(work: Promise<void>): Promise<Result<void>> {
  try {
    await work;
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
