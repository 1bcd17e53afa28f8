import type { Failure } from '../core/failure';
import { fingerprint } from '../core/fingerprint';
import { fail, isAbort, ok, type Result } from '../core/result';
import { inputHashOf } from '../core/input-hash';
import { resultKey, type InputHash, type StepKey, type TaskId } from '../core/ids';
import type { FaultPlan } from '../core/fault-points';
import type { Completion, EarlierTimeouts, ModelRequest } from '../core/model';
import type { Begun } from '../core/partial';
import type { CheckpointStore, Clock, Digest, LiveText, Model } from '../core/ports';
import { asReused, isToBeSaved, ownKey, toInference, toResultRow } from './answer-rows';
import type { Inference } from './job';
import type { Gate } from './gate';
import type { OwnAnswer } from './own-answers';
import type { PartialKeeper } from './partials/partial-keeper';
import type { Permits } from './permits';
import type { Refusal } from './refusal';
import type { UnsavedAnswers } from './unsaved-answers';

interface InferencesOptions {
  readonly store: CheckpointStore;
  readonly digest: Digest;
  readonly clock: Clock;
  readonly permits: Permits;
  /** Closed while nothing must be asked. */
  readonly gate: Gate;
  readonly taskId: TaskId;
  readonly liveText: LiveText;
  readonly partials: Pick<PartialKeeper, 'keep' | 'answered' | 'begunOf' | 'forget'>;
  /** The person has stopped the task: nobody comes back for what is streaming now. */
  readonly isStopped: () => boolean;
  readonly faults: FaultPlan;
}

export interface AskedBy {
  readonly key: StepKey;
  readonly attempt: number;
  readonly earlier: EarlierTimeouts;
  /** Numbers of the tries whose streams may still be going on at the server (`triesLeft`). */
  readonly left: readonly number[];
  readonly signal: AbortSignal;
  /** The endpoint as it is now: it may have been changed while the request waited for its turn. */
  readonly current: () => Promise<Result<Model>>;
  /** Answers that nobody else may have. */
  readonly own: OwnAnswer;
  /** Takes the permits of new answers over. */
  readonly unsaved: UnsavedAnswers;
  /** Called when there is nothing left to do but to ask, or to wait for one who does; not for answers found. */
  readonly onReady: () => void;
  /** Called once the request is about to go out, its turn having come. */
  readonly onRequest: () => void;
  /** Called when the request stands in line for the endpoint's own limits, with the time that it will take. */
  readonly onRateWait: (delayMs: number) => void;
  /** Called when the server asked to wait, before anybody else can ask. */
  readonly onRefused: () => void;
  /** Told as well; whoever of the same try waits for a turn gets it as the answer. */
  readonly refusal: Refusal;
}

/** The endpoint is another model now. Who asks that holds nothing under the former one's hash: it may come back. */
class Moved {
  readonly to: Model;

  constructor(to: Model) {
    this.to = to;
  }
}

const FRUITLESS: ReadonlySet<Failure['code']> = new Set([
  'empty_response',
  'output_truncated',
  'content_refused',
  'stream_malformed',
  'context_overflow',
  'request_rejected',
]);

/** More than can ever be answered while one commit is on its way. */
const RECENT = 256;

/** Asks a model, never twice for the same thing: equal requests meet in storage or, while one is in flight, here. */
export class Inferences {
  readonly #options: InferencesOptions;
  readonly #inFlight = new Map<InputHash, Promise<Result<Inference> | Moved>>();
  /** Answers whose commit may still be on its way. */
  readonly #recent = new Map<InputHash, Inference>();

  constructor(options: InferencesOptions) {
    this.#options = options;
  }

  async infer(model: Model, request: ModelRequest, by: AskedBy): Promise<Result<Inference>> {
    for (let asked = model; ;) {
      const answered = await this.#inferOf(asked, request, by);
      if (!(answered instanceof Moved)) return answered;
      asked = answered.to;
    }
  }

  async #inferOf(model: Model, request: ModelRequest, by: AskedBy): Promise<Result<Inference> | Moved> {
    const hash = await inputHashOf(this.#options.digest, model.identity, request);
    for (;;) {
      by.signal.throwIfAborted();
      const sibling = this.#inFlight.get(hash);
      if (!sibling) break;
      by.onReady();
      const answered = await sibling.catch(() => null);
      if (answered instanceof Moved) continue;
      if (answered?.ok && this.#mayHave(answered.value, by)) return ok(asReused(answered.value));
    }
    const recent = this.#recent.get(hash);
    if (recent) return ok(asReused(recent));
    const asking = this.#findOrAsk(model, request, hash, by);
    this.#inFlight.set(hash, asking);
    try {
      const answered = await asking;
      if (!(answered instanceof Moved) && answered.ok && answered.value.row.reusable) this.#remember(answered.value);
      return answered;
    } finally {
      this.#inFlight.delete(hash);
    }
  }

  /** One that was cut is given to equal pieces of the very try that asked: asked again, it would lie at the same place. */
  #mayHave({ row, inputHash }: Inference, by: AskedBy): boolean {
    return row.reusable || row.key === ownKey(inputHash, this.#options.taskId, by);
  }

  #remember(inference: Inference): void {
    this.#recent.set(inference.inputHash, inference);
    for (const oldest of this.#recent.keys()) {
      if (this.#recent.size <= RECENT) return;
      this.#recent.delete(oldest);
    }
  }

  async #findOrAsk(
    model: Model,
    request: ModelRequest,
    hash: InputHash,
    by: AskedBy,
  ): Promise<Result<Inference> | Moved> {
    const { store, faults, taskId, clock } = this.#options;
    const stored = await store.result(resultKey(hash));
    // An answer that cannot be read is none: the next one takes its place.
    if (!stored.ok && stored.failure.code !== 'row_unreadable') return stored;
    // Nobody else's but a whole answer is one to this request.
    const found = stored.ok && stored.value?.reusable ? stored : await by.own(hash);
    if (!found.ok) return found;
    if (found.value) return ok(asReused(toInference(found.value, hash)));
    by.onReady();
    // Nothing the step did not save by now is saved before this answer: holding on to it could wait for itself.
    by.unsaved.drop();
    const turn = await this.#turn(by);
    if (!turn.ok) return turn;
    const release = turn.value;
    let isHeld = false;
    try {
      let answered: Result<Completion> | null = null;
      while (answered === null) {
        const current = await by.current();
        if (!current.ok) return current;
        if (current.value.identity !== model.identity) return new Moved(current.value);
        by.onRequest();
        await faults.reach('before-request', taskId);
        answered = await this.#complete(current.value, request, hash, by);
        const passed = answered === null ? await this.#pass(by) : ok();
        if (!passed.ok) return passed;
      }
      // Before the permit is free again: whoever is next must not ask into the same refusal.
      if (!answered.ok && answered.failure.verdict === 'wait') refuse(by, answered.failure);
      if (!answered.ok && isFruitless(answered.failure)) this.#options.partials.forget(hash);
      if (!answered.ok) return answered;
      await faults.reach('after-response', taskId);
      const row = toResultRow(answered.value, hash, by, taskId, clock.now());
      const { inputCut, unmet, continuation = null } = answered.value;
      const found = { ...(inputCut && { inputCut }), ...(unmet === undefined ? {} : { unmet }) };
      const inference = { ...toInference(row, hash), continuation, ...found };
      this.#options.partials.answered(hash, inference.resultKey);
      isHeld = isToBeSaved(inference);
      if (isHeld) by.unsaved.hold(inference.resultKey, release);
      return ok(inference);
    } finally {
      if (!isHeld) release();
    }
  }

  /** A permit, once nothing is held up; the refusal of the try when one comes first: its end is what ends the hold-up. */
  async #turn({ signal, refusal }: AskedBy): Promise<Result<() => void>> {
    const { permits, gate } = this.#options;
    const either = AbortSignal.any([signal, refusal.signal]);
    let release = (): void => undefined;
    try {
      release = await permits.take(either);
      await gate.pass(either);
      return ok(release);
    } catch (error) {
      release();
      if (signal.aborted || refusal.why === null) throw error;
      return fail(refusal.why);
    }
  }

  /** As a turn, with a permit in hand. */
  async #pass({ signal, refusal }: AskedBy): Promise<Result<void>> {
    try {
      await this.#options.gate.pass(AbortSignal.any([signal, refusal.signal]));
      return ok();
    } catch (error) {
      if (signal.aborted || refusal.why === null) throw error;
      return fail(refusal.why);
    }
  }

  /**
   * Null when the gate was closed before the request had gone out: it stood in line with the model, and would have gone
   * into what the others wait for. A fault in the middle of the stream ends the request, whatever the model makes of an
   * error of its listener.
   */
  async #complete(
    model: Model,
    request: ModelRequest,
    hash: InputHash,
    by: AskedBy,
  ): Promise<Result<Completion> | null> {
    const { faults, gate, liveText, partials, taskId, isStopped } = this.#options;
    const recall = new AbortController();
    const deafen = gate.onClose(() => recall.abort());
    let begun: Begun | null = null;
    let shown = '';
    let broke = (): void => undefined;
    const onText = (text: string) => {
      shown = text;
      liveText(taskId, by.key, text);
      partials.keep(hash, by.key, text, begun);
      try {
        void faults.reach('mid-stream', taskId);
      } catch (fault) {
        broke = () => {
          throw fault;
        };
        throw fault;
      }
    };
    const onBegun = (further: Begun) => {
      begun = further;
      partials.keep(hash, by.key, shown, begun);
    };
    const { signal, earlier, onRateWait } = by;
    const nameOf = (attempt: number) => streamId(taskId, by.key, attempt, hash);
    const stream = { id: nameOf(by.attempt), left: by.left.map(nameOf), isUnwanted: isStopped };
    const known = { earlier, begun: partials.begunOf(hash), stream };
    try {
      return await model
        .complete(request, { signal, recall: recall.signal, ...known, onText, onBegun, onRateWait })
        .finally(() => broke());
    } catch (error) {
      if (recall.signal.aborted && !signal.aborted && isAbort(error)) return null;
      throw error;
    } finally {
      deafen();
    }
  }
}

/** Another try, and another step that asks the same, has another stream; the same one in another process has the same. */
function streamId(task: TaskId, key: StepKey, attempt: number, hash: InputHash): string {
  return `talaria-${task}-${fingerprint(key)}-${hash.slice(0, 32)}-${String(attempt)}`;
}

/** It came to its end and was no good: to go on with it would come to the same. */
function isFruitless({ code }: Failure): boolean {
  return FRUITLESS.has(code);
}

function refuse(by: AskedBy, why: Failure): void {
  by.onRefused();
  by.refusal.tell(why);
}
