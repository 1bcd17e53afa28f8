import { parkReason, type Failure } from '../core/failure';
import { toFailure } from '../core/failure-error';
import type { TaskId } from '../core/ids';
import { fail, isAbort, ok, type Result } from '../core/result';
import { CommitRefused } from './committer';
import type { EnginePorts } from './engine-ports';
import { copyPast } from './copy-past';
import { answerEffects, type EffectAnswers } from './effects/answer-effects';
import { settleEffects } from './effects/settle-effects';
import { Gate } from './gate';
import { growReport } from './grow-report';
import { Inferences } from './inferences';
import type { Job } from './job';
import { OwnedTask } from './owned-task';
import { Permits } from './permits';
import { planTask } from './plan-task';
import { reopenLost } from './reopen-lost';
import { RunQuestions } from './run-questions';
import { StepWork } from './step-work';
import { isSuspect } from './suspicion';
import { completeTask, endTask, failTask } from './task-endings';
import { reopen, takeOver } from './take-over';
import { untilStored } from './until-stored';
import { Wakeup } from './wakeup';
import { WorkLoop } from './work-loop';

/** Why a run is asked to end early. */
export type StopCause = 'pause' | 'cancel';

interface RunOptions {
  readonly retryFailed: boolean;
  /** The person asked for it just now: an endpoint that was out of reach is asked at once. @default retryFailed */
  readonly isAsked?: boolean;
}

/** Bytes of files worked on at once; a bigger file is worked on alone. */
const MAX_BYTES_AT_ONCE = 64 * 1024 * 1024;

/**
 * One owner's run of one task: own, recover, plan, work, reduce, report. All that matters is in the rows; it can be
 * killed between any two lines. Must be run by the holder of the task's lock.
 */
export class TaskRun {
  readonly #ports: EnginePorts;
  readonly #taskId: TaskId;
  readonly #onOwned: (epoch: number) => void;
  readonly #stop = new AbortController();
  readonly #abandoned = new AbortController();
  readonly #wakeup = new Wakeup();
  readonly #answer = new Wakeup();
  readonly #proceeding = new Wakeup();
  readonly #permits = new Permits(1);
  readonly #gate = new Gate();
  #letWalk: () => void = () => undefined;
  /** Reading the first files comes before the walk, which would keep the disk busy for all of them. */
  readonly #underWay = new Promise<void>((resolve) => (this.#letWalk = resolve));
  #cause: StopCause | null = null;
  #loop: WorkLoop | null = null;
  #owned: OwnedTask | null = null;
  #isPlanning = true;
  /** Nothing but files is worked on before the plan stands: the tree above them may look different after it. */
  #isReducing = false;
  /** From here on the task's status is decided. */
  #isClosing = false;
  #isRetryWanted = false;
  #isAsked = false;
  #widthWanted: number | null = null;

  /** `onOwned` is told the epoch as soon as the task is ours. */
  constructor(ports: EnginePorts, taskId: TaskId, onOwned: (epoch: number) => void = () => undefined) {
    this.#ports = ports;
    this.#taskId = taskId;
    this.#onOwned = onOwned;
  }

  get isStopping(): boolean {
    return this.#stop.signal.aborted;
  }

  stop(cause: StopCause): void {
    this.#cause ??= cause;
    this.#stop.abort();
  }

  /** Ends at once and saves nothing more: the task is about to be deleted. */
  abandon(): void {
    this.stop('cancel');
    this.#abandoned.abort();
    this.#owned?.abandon();
  }

  /** Writes down what is coming in: it may be cut off at any moment now. */
  flushPartials(): void {
    void this.#owned?.partials.flush();
  }

  /** Looks again now, if anything is being waited for, and at the endpoint's profile before anything more is asked. */
  wake(): void {
    this.#owned?.forgetModel();
    this.#wakeup.notify();
  }

  /** The person says to go on: ends what waits for that, too. */
  proceed(): void {
    this.#isAsked = true;
    this.#answer.notify();
    this.#wakeup.notify();
    this.#proceeding.notify();
  }

  /** Runs the failed steps again within this run. False when it is too late for that. */
  retryFailed(): boolean {
    if (this.#isClosing || this.isStopping) return false;
    this.#isRetryWanted = true;
    this.proceed();
    return true;
  }

  /** The person has answered what effects waited for. */
  async answer(answers: EffectAnswers): Promise<void> {
    if (this.#owned) await answerEffects(this.#owned, answers);
    this.#answer.notify();
  }

  /** Another number of requests at once, from now on; saved with the task. */
  async resize(concurrency: number): Promise<void> {
    this.#widthWanted = concurrency;
    this.#permits.resize(concurrency);
    this.#loop?.notify();
    if (this.#owned) await this.#saveWidth(this.#owned);
  }

  async run(options: RunOptions): Promise<Result<void>> {
    const { store, clock } = this.#ports;
    this.#isRetryWanted ||= options.retryFailed;
    this.#isAsked = options.isAsked ?? options.retryFailed;
    const before = await untilStored(clock, this.#abandoned.signal, () => store.task(this.#taskId));
    if (!before.ok) return before;
    const row = await untilStored(clock, this.#abandoned.signal, () => store.own(this.#taskId, clock.now()));
    if (!row.ok) return row;
    this.#onOwned(row.value.epoch);
    const owned = new OwnedTask(this.#ports, row.value, this.#stop.signal, this.#wakeup, this.#proceeding);
    this.#owned = owned;
    if (this.#abandoned.signal.aborted) owned.abandon();
    try {
      const done = await this.#stages(owned, before.value?.updatedMs ?? 0);
      this.#isClosing = true;
      // A damaged row is no end: the rest of the task is as good as ever, and the person may mend or save it.
      if (!done.ok && isDamage(done.failure)) return await endTask(owned, 'paused', done.failure);
      if (!done.ok) await failTask(owned, done.failure);
      return done;
    } catch (error) {
      return await this.#ended(owned, error);
    } finally {
      this.#stop.abort();
      await owned.drained();
    }
  }

  async #stages(owned: OwnedTask, lastSeenMs: number): Promise<Result<void>> {
    await this.#ports.faults.reach('after-own', owned.row.id);
    if (this.#widthWanted === null) this.#permits.resize(owned.row.options.concurrency);
    else await this.#saveWidth(owned);
    const isRetry = this.#isRetryWanted;
    this.#isRetryWanted = false;
    const tookOver = await takeOver(owned, { isRetry, lastSeenMs });
    if (!tookOver.ok) return tookOver;
    const copied = await copyPast(owned);
    if (!copied.ok) return copied;
    const settled = await settleEffects(owned, this.#answer);
    if (!settled.ok) return settled;
    const job = this.#ports.job(owned.row.kind);
    const inferences = new Inferences({
      ...this.#ports,
      permits: this.#permits,
      gate: this.#gate,
      partials: owned.partials,
      taskId: owned.row.id,
      isStopped: () => this.#cause !== null,
    });
    const work = new StepWork(owned, job, inferences, this.#gate, () => this.#letWalk());
    if (tookOver.value) work.beWary();
    const isClosing = () => this.#isClosing;
    const questions = new RunQuestions({ owned, answer: this.#answer, isClosing });
    const loop = this.#makeLoop(owned, work, questions);
    this.#loop = loop;
    questions.watchDeadline(loop);
    // The folder first: it waits for the person, the endpoint may come back by itself.
    const ready = await owned.obtain(() => owned.readableFolder());
    if (!ready.ok) return ready;
    const outage = this.#isAsked ? null : await owned.knownOutage();
    if (outage) void loop.waitFor(outage);
    const planned = await this.#planAndWork(owned, loop);
    if (!planned.ok) return planned;
    const reduced = await this.#reduce(owned, job, loop);
    if (!reduced.ok) return reduced;
    return completeTask(owned, job);
  }

  async #reopenIfWanted(owned: OwnedTask): Promise<Result<void>> {
    if (!this.#isRetryWanted) return ok();
    this.#isRetryWanted = false;
    return reopen(owned);
  }

  async #saveWidth(owned: OwnedTask): Promise<void> {
    const concurrency = this.#widthWanted;
    if (concurrency === null || concurrency === owned.row.options.concurrency) return;
    const options = { ...owned.row.options, concurrency };
    await owned.change({ options }, 'concurrency_changed', null, { concurrency });
    this.#loop?.notify();
  }

  #makeLoop(owned: OwnedTask, work: StepWork, questions: RunQuestions): WorkLoop {
    const loop: WorkLoop = new WorkLoop({
      clock: this.#ports.clock,
      signal: this.#stop.signal,
      gate: this.#gate,
      width: () => (owned.isStorageTroubled ? 0 : work.width(this.#permits.limit)),
      weight: (step) => (step.file?.sizeBytes ?? 0) / MAX_BYTES_AT_ONCE,
      isLonely: isSuspect,
      isGrowing: () => this.#isPlanning,
      pending: async (limit) => {
        const page = await this.#ports.store.stepsByStatus(owned.row.id, 'pending', limit);
        if (!page.ok || this.#isReducing) return page;
        return ok(page.value.filter((step) => step.type === 'file'));
      },
      work: async (step) => {
        const settled = await work.work(step);
        return { ...settled, saved: settled.saved.then((row) => questions.lookAtFailures(row, loop)) };
      },
      park: async (why) => {
        if (questions.isOne(why)) await questions.ask(why);
        else await owned.park(why);
        work.breakPace();
      },
      hold: (why) => owned.hold(why),
      onBroken: () => {
        this.#stop.abort();
      },
      onLull: () => this.#letWalk(),
    });
    return loop;
  }

  /** Both go on side by side. A plan that broke ends the work; a walk that hangs does not keep a stopped run. */
  async #planAndWork(owned: OwnedTask, loop: WorkLoop): Promise<Result<void>> {
    let broke: unknown = null;
    const planning = this.#plan(owned, loop);
    planning.catch((error: unknown) => {
      broke = error;
      this.#stop.abort();
    });
    try {
      await loop.run();
    } catch (error) {
      throw isAbort(error) && broke !== null ? broke : error;
    }
    return planning;
  }

  async #plan(owned: OwnedTask, loop: WorkLoop): Promise<Result<void>> {
    try {
      await this.#underWay;
      for (;;) {
        const planned = await planTask(owned, this.#stop.signal, () => loop.notify());
        if (planned.ok) {
          await this.#ports.faults.reach('after-plan', owned.row.id);
          return ok();
        }
        if (parkReason(planned.failure.code) === null) return planned;
        await loop.waitFor(planned.failure);
        this.#stop.signal.throwIfAborted();
      }
    } finally {
      this.#isPlanning = false;
      loop.notify();
    }
  }

  async #reduce(owned: OwnedTask, job: Job, loop: WorkLoop): Promise<Result<void>> {
    const lost = await owned.obtain(() => reopenLost(owned));
    if (!lost.ok) return lost;
    if (lost.value > 0) await loop.run();
    this.#isReducing = true;
    return growReport(owned, job, loop, {
      isRetryWanted: () => this.#isRetryWanted,
      reopen: () => this.#reopenIfWanted(owned),
      close: () => {
        this.#isClosing = true;
      },
    });
  }

  async #ended(owned: OwnedTask, error: unknown): Promise<Result<void>> {
    this.#stop.abort();
    if (error instanceof CommitRefused) return fail(error.failure);
    const stopped = isAbort(error) && this.#cause !== null;
    const how = stopped && this.#cause === 'cancel' ? 'cancelled' : 'paused';
    return endTask(owned, how, stopped ? null : toFailure(error));
  }
}

function isDamage({ code }: Failure): boolean {
  return code === 'row_unreadable' || code === 'row_from_newer_version';
}
