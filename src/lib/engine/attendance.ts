import { toFailure } from '../core/failure-error';
import type { TaskId } from '../core/ids';
import { fail, isAbort, ok, type Result } from '../core/result';
import { canTaskMove, goesOnByItself, isFinished, type Shown, type TaskRow } from '../core/task';
import { BriefOwnership } from './brief-ownership';
import { CommitRefused } from './committer';
import type { EffectAnswers } from './effects/answer-effects';
import type { EnginePorts } from './engine-ports';
import type { Heartbeat } from './heartbeat';
import type { TaskCommand } from './owner-channel';
import { TaskRun } from './task-run';
import { untilStored } from './until-stored';
import type { WishList } from './wish-list';

interface AttendanceOptions {
  readonly ports: EnginePorts;
  readonly id: TaskId;
  readonly wishes: WishList;
}

interface Asked {
  readonly command: TaskCommand | null;
  readonly width: number | null;
  readonly answers: readonly EffectAnswers[];
}

/** `kept` for the holder after this one, since this one leaves the row in another state than it is in now. */
type Told = 'done' | 'kept' | 'not_ours';

/** One worker's stay at a task: in line for its lock, then as its holder. What to do is decided by the row, read under the lock. */
export class Attendance {
  readonly leave = new AbortController();
  /** Ends what we do as the holder: we are to leave, or another has taken the task. */
  readonly stop = new AbortController();
  ended: Promise<void> = Promise.resolve();
  /** The lock is ours. */
  isHolding = false;
  readonly #options: AttendanceOptions;
  #run: TaskRun | null = null;
  #isRunOwner = false;
  /** For the run, as soon as the task is its own. */
  #answers: readonly EffectAnswers[] = [];
  /** Of the row, as we last left it. */
  #epoch: number | null = null;

  constructor(options: AttendanceOptions) {
    this.#options = options;
    this.stop.signal.addEventListener('abort', () => this.#run?.abandon(), { once: true });
  }

  get isRunning(): boolean {
    return this.#liveRun !== null;
  }

  get #liveRun(): TaskRun | null {
    return this.#run && !this.#run.isStopping ? this.#run : null;
  }

  wake(): void {
    this.#run?.wake();
  }

  flushPartials(): void {
    this.#run?.flushPartials();
  }

  /** `shown` is what the person saw when they gave the command: it may be old by now. */
  tell(command: TaskCommand, shown: Shown): Told {
    if (!this.isHolding) return 'not_ours';
    const run = this.#liveRun;
    if (run) {
      if (command === 'pause' || command === 'cancel') {
        run.stop(command);
        return 'done';
      }
      if (command === 'retry_failed' && run.retryFailed()) return 'done';
      if (command === 'continue' && !isFinished(shown.status)) {
        run.proceed();
        return 'done';
      }
    }
    // The run that they wanted is over already.
    if (command === 'continue' && this.#hasRunSince(shown)) return 'done';
    const isDue = (now: TaskRow) => command !== 'write_output' || now.output !== 'written';
    const stillMeant = (now: TaskRow) => this.#isAsLeft(now) && isDue(now);
    this.#options.wishes.keepCommand(this.#options.id, { wanted: command, stillMeant });
    return 'kept';
  }

  /** Null when the task is not ours. */
  async resize(concurrency: number): Promise<Result<void> | null> {
    if (!this.isHolding) return null;
    if (this.#liveRun) return unlessRefused(this.#liveRun.resize(concurrency));
    const stillMeant = (now: TaskRow) => this.#isAsLeft(now);
    this.#options.wishes.keepWidth(this.#options.id, { wanted: concurrency, stillMeant });
    return ok();
  }

  /** Null when the task is not ours. */
  async answer(answers: EffectAnswers): Promise<Result<void> | null> {
    if (!this.isHolding) return null;
    const run = this.#liveRun;
    if (run && this.#isRunOwner) return unlessRefused(run.answer(answers));
    if (run) this.#answers = [...this.#answers, answers];
    else this.#options.wishes.keepAnswers(this.#options.id, answers);
    return ok();
  }

  /** Does what is to be done as the task's holder. */
  async act(heartbeat: Heartbeat): Promise<void> {
    const { ports, id, wishes } = this.#options;
    const { signal } = this.stop;
    const found = await untilStored(ports.clock, signal, () => ports.store.task(id));
    // What the person asked for is kept for the next time that the task is ours.
    if (signal.aborted) return;
    const { command, width, answers } = wishes.take(id);
    if (!found.ok || !found.value) return;
    const row = found.value;
    this.#epoch = row.epoch;
    const onOwned = (epoch: number) => {
      this.#epoch = epoch;
      heartbeat.own(epoch);
    };
    const brief = new BriefOwnership({ ports, signal, onOwned });
    const asked: Asked = {
      command: command && (await command.stillMeant(row)) ? command.wanted : null,
      width: width && (await width.stillMeant(row)) ? width.wanted : null,
      answers,
    };
    try {
      await this.#carryOut(row, asked, brief, onOwned);
    } catch (error) {
      if (isAbort(error) || !(await this.#hasEnded(error, brief))) throw error;
    }
  }

  async #carryOut(row: TaskRow, asked: Asked, brief: BriefOwnership, onOwned: (epoch: number) => void): Promise<void> {
    const { command, width, answers } = asked;
    const isEnd = command === 'pause' || command === 'cancel';
    if (command === 'continue' || command === 'retry_failed' || (!isEnd && goesOnByItself(row))) {
      return this.#work(row, asked, brief, onOwned);
    }
    if (width !== null) await brief.widen(row, width);
    let settled = 0;
    for (const each of answers) settled += await brief.answer(row, each);
    if (isEnd && canTaskMove(row.status, command === 'pause' ? 'paused' : 'cancelled'))
      await brief.settle(row, command);
    const left = await this.#read();
    if (left?.status === 'paused' && left.reason === 'approval' && answers.length > 0 && !isEnd) {
      if (settled > 0 || !(await this.#isInDoubt())) {
        return this.#work(left, { command: 'continue', width: null, answers: [] }, brief, onOwned);
      }
    }
    if (left && (command === 'write_output' || isOutputDue(left))) await brief.write(left);
  }

  async #work(
    row: TaskRow,
    { command, width, answers }: Asked,
    brief: BriefOwnership,
    onOwned: (epoch: number) => void,
  ): Promise<void> {
    const { ports, wishes, id } = this.#options;
    if (this.stop.signal.aborted) return;
    const run = new TaskRun(ports, id, (epoch) => {
      onOwned(epoch);
      // The run has the task in hand when this call returns.
      void Promise.resolve().then(() => this.#giveAnswers(run));
    });
    this.#run = run;
    // Asked for while we were looking at the row.
    const late = wishes.take(id);
    this.#answers = [...answers, ...late.answers];
    const wanted = late.width?.wanted ?? width;
    if (wanted !== null) void unlessRefused(run.resize(wanted));
    if (late.command && late.command.wanted !== 'continue') this.tell(late.command.wanted, row);
    const ran = await run.run({ retryFailed: command === 'retry_failed', isAsked: command !== null });
    if (this.#answers.length > 0) wishes.keepAnswers(id, ...this.#answers);
    if (!ran.ok && ran.failure.code === 'fenced') this.stop.abort();
    // Stopped in the moment in which it was completed.
    const left = await this.#read();
    if (left && isOutputDue(left)) await brief.write(left);
  }

  #giveAnswers(run: TaskRun): void {
    this.#isRunOwner = true;
    const answers = this.#answers;
    this.#answers = [];
    for (const each of answers) void unlessRefused(run.answer(each));
  }

  /** A defect that would leave a task without an owner ends its work as one in the work does. False when that cannot be saved. */
  async #hasEnded(defect: unknown, brief: BriefOwnership): Promise<boolean> {
    try {
      const row = await this.#read();
      return row !== null && goesOnByItself(row) && (await brief.end(row, toFailure(defect)));
    } catch {
      return false;
    }
  }

  async #isInDoubt(): Promise<boolean> {
    const { ports, id } = this.#options;
    const waiting = await ports.store.effectsInState(id, 'in_doubt', 1);
    return !waiting.ok || waiting.value.length > 0;
  }

  async #read(): Promise<TaskRow | null> {
    const { ports, id } = this.#options;
    const row = await untilStored(ports.clock, this.stop.signal, () => ports.store.task(id));
    return row.ok ? row.value : null;
  }

  #hasRunSince(shown: Shown): boolean {
    return this.#isRunOwner && this.#epoch !== null && shown.epoch < this.#epoch;
  }

  /** Nobody else has owned the task since. */
  #isAsLeft(now: TaskRow): boolean {
    return this.#epoch === null || now.epoch === this.#epoch;
  }
}

function isOutputDue({ status, output }: TaskRow): boolean {
  return status === 'completed' && output === 'due';
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
