import { failure, parkReason, type Failure } from '../core/failure';
import { addPace } from '../core/pace';
import type { Model } from '../core/ports';
import { MAX_CONCURRENCY, type Pace, type TaskRow } from '../core/task';
import { isAbort } from '../core/result';
import { NOTHING_SAVED } from '../core/saved';
import { isSettled, type StepRow } from '../core/step';
import { NO_USAGE } from '../core/usage';
import { CommitRefused } from './committer';
import { earlierTimeouts } from './earlier-timeouts';
import type { Gate } from './gate';
import type { AskedBy, Inferences } from './inferences';
import type { Job, StepContext, StepOutcome } from './job';
import { Lookahead } from './lookahead';
import type { OwnedTask } from './owned-task';
import { ownAnswers } from './own-answers';
import { Refusal } from './refusal';
import { MAX_ATTEMPTS } from './retry-policy';
import { judge } from './step-outcome';
import { SavedParts } from './saved-parts';
import { runningStep, stepDraft, unsuccessfulStep } from './step-rows';
import { StepStopwatch } from './step-stopwatch';
import { condemnation, isServerSuspect, isSuspect } from './suspicion';
import { triesLeft } from './tries-left';
import { UnsavedAnswers } from './unsaved-answers';
import type { Settled } from './work-loop';

/** How long work that does not listen to an abort is waited for. */
const GRACE_MS = 1_000;

/** More than can have been in hand when an owner died. */
const WARY_TRIES = 2 * MAX_CONCURRENCY;
/** Fewer steps that are still to do are nobody to learn from whether the server works. */
const FEW = 4;

interface Moments extends Pick<
  AskedBy,
  'current' | 'onReady' | 'onRequest' | 'onRateWait' | 'onRefused' | 'refusal' | 'unsaved'
> {
  readonly parts: SavedParts;
  /** Called with the context that the try is planned with. */
  readonly onPlanned: (contextTokens: number) => void;
}

/** One try of one step, from its pending row to the row that says what became of it. */
export class StepWork {
  readonly #owned: OwnedTask;
  readonly #job: Job;
  readonly #inferences: Inferences;
  readonly #gate: Gate;
  readonly #onRequest: () => void;
  readonly lookahead = new Lookahead();
  #lastSettledMs: number | null = null;
  #rhythm: Pace;
  #waryTries = 0;

  /** `onRequest` is called when a question goes out. */
  constructor(owned: OwnedTask, job: Job, inferences: Inferences, gate: Gate, onRequest: () => void = () => undefined) {
    this.#onRequest = onRequest;
    this.#gate = gate;
    this.#owned = owned;
    this.#job = job;
    this.#inferences = inferences;
    this.#rhythm = owned.row.pace;
  }

  /** Forgets the rhythm: a pause lies between the last settled file and the next. */
  breakPace(): void {
    this.#lastSettledMs = null;
  }

  /** The last owner died, perhaps of a file it had not asked about yet: the next tries are noted before they begin. */
  beWary(): void {
    this.#waryTries = WARY_TRIES;
  }

  /** Steps to hand out at once, with those that are prepared before their turn to ask. */
  width(permits: number): number {
    return this.#waryTries > 0 ? permits : permits + this.lookahead.steps(permits);
  }

  async work(step: StepRow): Promise<Settled<TaskRow>> {
    const { clock, extractor, random } = this.#owned.ports;
    const startedMs = clock.now();
    const stopwatch = new StepStopwatch(clock);
    const openers: (() => void)[] = [];
    const unsaved = new UnsavedAnswers();
    const parts = new SavedParts(this.#owned, step);
    let triedTokens = this.#owned.contextTokens;
    const asked: { model: Model | null } = { model: null };
    let before = step;
    let marked: Promise<unknown> = Promise.resolve();
    const markRunning = () => {
      if (before.status === 'running') return;
      const running = runningStep(before);
      // Not waited for: a refused mark comes back with the outcome's own commit.
      marked = this.#owned.submit(stepDraft(before, running)).catch(() => undefined);
      before = running;
    };
    let outcome: StepOutcome;
    try {
      const moments: Moments = {
        onPlanned: (contextTokens) => (triedTokens = contextTokens),
        current: async () => {
          const model = await this.#owned.model();
          if (model.ok) asked.model = model.value;
          return model;
        },
        onReady: () => stopwatch.ready(),
        onRateWait: (delayMs) => this.#owned.waitForRate(delayMs),
        onRefused: () => openers.push(this.#gate.close()),
        onRequest: () => {
          stopwatch.asked();
          markRunning();
          this.#onRequest();
        },
        refusal: new Refusal(),
        unsaved,
        parts,
      };
      const tried = async (): Promise<StepOutcome> => {
        const known = await this.#knownBefore(step);
        if (known) return failedWith(known);
        // On disk before the file is so much as opened: should that end the app, it is known which file it was.
        if (this.#isWary(step)) markRunning();
        await marked;
        this.#owned.signal.throwIfAborted();
        return this.#try(step, moments);
      };
      outcome = await this.#blamed(step, await this.#untilStopped(tried()));
    } catch (error) {
      unsaved.drop();
      await marked;
      if (isAbort(error) && before.status === 'running')
        await this.#interrupted(before, startedMs, stopwatch.durationMs());
      throw error;
    }
    const isOutdated = !outcome.ok && (await this.#isOfFormerEndpoint(outcome.failure, asked.model));
    const fewLeft = !outcome.ok && isServerSuspect(step) && (await this.#isFewLeft());
    const cost = parts.uncounted(outcome);
    const judged = judge(outcome, {
      step,
      before,
      startedMs,
      durationMs: stopwatch.durationMs(),
      outputTokens: outcome.ok ? extractor.estimateTokens(outcome.result.output) : 0,
      random,
      asked: stopwatch.hasAsked ? { answered: this.#owned.row.requests + cost.requests, fewLeft } : null,
    });
    this.#waryTries = Math.max(0, this.#waryTries - 1);
    if (outcome.requests > 0) this.#owned.answered();
    stopwatch.tell(this.lookahead);
    const learned =
      !outcome.ok && outcome.failure.verdict === 'adapt'
        ? this.#owned.learnContext(outcome.failure, triedTokens)
        : null;
    const pace = this.#pace(judged.after);
    const activity = judged.after.status === 'failed' && judged.after.failure ? [failedLine(judged.after)] : [];
    const task = { ...learned?.task, ...(pace ? { pace } : {}), ...this.#repeated(step, judged.after, outcome) };
    const saved = this.#owned.submit({
      ...judged.draft,
      ...cost,
      task,
      settledPartials: isSettled(judged.after.status) ? this.#owned.partials.settledOf(step.key) : [],
      activity: [...activity, ...(learned?.activity ?? [])],
    });
    if (outcome.ok) unsaved.saving(outcome.result.key, saved);
    unsaved.drop();
    const next = isOutdated ? ({ kind: 'again', delayMs: 0 } as const) : judged.next;
    return { ...next, saved, handled: () => openers.forEach((open) => open()) };
  }

  /** A stopped run waits only a moment for work that does not listen, such as a file that takes for ever to read. */
  async #untilStopped<T>(work: Promise<T>): Promise<T> {
    const { clock } = this.#owned.ports;
    const { signal } = this.#owned;
    const over = new AbortController();
    const stopped = new Promise<never>((_, reject) => {
      const leave = () => {
        clock.sleep(GRACE_MS, over.signal).then(
          () => reject(new DOMException('the run was stopped', 'AbortError')),
          () => undefined,
        );
      };
      if (signal.aborted) leave();
      else signal.addEventListener('abort', leave, { once: true, signal: over.signal });
    });
    return Promise.race([work, stopped]).finally(() => over.abort());
  }

  /** What ends this try before it begins. */
  async #knownBefore(step: StepRow): Promise<Failure | null> {
    const condemned = condemnation(step);
    if (condemned || !isServerSuspect(step)) return condemned;
    const model = await this.#owned.model();
    const probed = model.ok ? await model.value.probe(this.#owned.signal) : model;
    return probed.ok || probed.failure.verdict !== 'wait' ? null : probed.failure;
  }

  /** What an address refused that is the endpoint's no more says nothing of the one that took its place. */
  async #isOfFormerEndpoint({ code }: Failure, asked: Model | null): Promise<boolean> {
    const reason = parkReason(code);
    if (asked === null) return false;
    if (reason !== 'endpoint' && reason !== 'network') return false;
    const current = await this.#owned.openModel();
    return current.ok && current.value !== asked;
  }

  async #isFewLeft(): Promise<boolean> {
    const { ports, row } = this.#owned;
    const left = await ports.store.stepsByStatus(row.id, 'pending', FEW);
    return left.ok && left.value.length < FEW;
  }

  #isWary(step: StepRow): boolean {
    return this.#waryTries > 0 || isSuspect(step);
  }

  /** Before a file is lost to an endpoint's fault: when a probe fails too, the whole endpoint is waited for. */
  async #blamed(step: StepRow, outcome: StepOutcome): Promise<StepOutcome> {
    if (outcome.ok || !isEndpointTrouble(outcome.failure)) return outcome;
    if (step.attempts + 1 < MAX_ATTEMPTS && !isServerSuspect(step)) return outcome;
    const model = await this.#owned.model();
    const probed = model.ok ? await model.value.probe(this.#owned.signal) : model;
    if (probed.ok) return outcome;
    const { code, message, details } = probed.failure;
    const isWaitedFor = parkReason(code) !== null;
    return {
      ...outcome,
      failure: isWaitedFor ? probed.failure : failure('endpoint_unreachable', { message, details }),
    };
  }

  async #try(step: StepRow, { onPlanned, ...moments }: Moments): Promise<StepOutcome> {
    const folder = await this.#owned.folder();
    const model = await this.#owned.model();
    if (!folder.ok) return failedWith(folder.failure);
    if (!model.ok) return failedWith(model.failure);
    const own = ownAnswers(this.#owned.ports.store, this.#owned.row, step);
    const context: StepContext = {
      ...this.#owned.jobContext(),
      folder: folder.value,
      signal: this.#owned.signal,
      isLastTry: step.attempts + 1 >= MAX_ATTEMPTS,
      infer: (request) =>
        this.#inferences.infer(model.value, request, {
          key: step.key,
          attempt: step.attempts + 1,
          left: triesLeft(step),
          earlier: earlierTimeouts(step),
          signal: this.#owned.signal,
          own,
          ...moments,
        }),
      savePart: (index, inference) => {
        const saved = moments.parts.save(index, inference);
        moments.unsaved.saving(inference.resultKey, saved);
        saved.catch(() => undefined);
      },
      dropUnsaved: () => moments.unsaved.drop(),
    };
    onPlanned(context.contextTokens);
    try {
      return await this.#job.run(step, context);
    } catch (error) {
      if (isAbort(error) || error instanceof CommitRefused) throw error;
      // One file that trips a defect of ours must not cost the night's other files.
      return failedWith(failure('unexpected', { message: error instanceof Error ? error.message : String(error) }));
    }
  }

  async #interrupted(running: StepRow, startedMs: number, durationMs: number): Promise<void> {
    const nothing = { file: null, reading: null, usage: NO_USAGE, requests: 0, saved: NOTHING_SAVED, failure: null };
    const attempt = { startedMs, durationMs, outcome: 'interrupted', code: null } as const;
    const after = unsuccessfulStep(running, 'pending', nothing, attempt, false);
    await this.#owned.submit(stepDraft(running, after)).catch(() => undefined);
  }

  #pace(after: StepRow) {
    if (after.type !== 'file' || after.status === 'pending' || after.flags.reused) return null;
    const nowMs = this.#owned.ports.clock.monotonicMs();
    const sinceMs = this.#lastSettledMs;
    this.#lastSettledMs = nowMs;
    if (sinceMs === null) return null;
    // Not taken from the row: what settles together is saved together, and each must count.
    this.#rhythm = addPace(this.#rhythm, nowMs - sinceMs);
    return this.#rhythm;
  }

  /** Counts what must never be: a finished, unchanged file whose request went out again. */
  #repeated(step: StepRow, after: StepRow, outcome: StepOutcome) {
    const recovery = this.#owned.row.recovery;
    const again = outcome.ok && outcome.requests > 0 && step.resultKey !== null && step.inputHash === after.inputHash;
    return recovery && again && !step.flags.truncated
      ? { recovery: { ...recovery, repeated: recovery.repeated + 1 } }
      : {};
  }
}

function isEndpointTrouble({ code, verdict, kind }: Failure): boolean {
  return code !== 'file_timeout' && verdict === 'retry' && (kind === 'infrastructure' || kind === 'timeout');
}

function failedWith(why: Failure): StepOutcome {
  return {
    ok: false,
    failure: why,
    file: null,
    reading: null,
    usage: NO_USAGE,
    requests: 0,
    reusedRequests: 0,
    saved: NOTHING_SAVED,
  };
}

function failedLine(step: StepRow) {
  return { what: 'file_failed' as const, details: { path: step.file?.path ?? step.key }, failure: step.failure };
}
