import type { ActivityKind, NewActivity } from '../core/activity';
import type { CommitDraft, TaskPatch } from '../core/commit';
import { failure, parkReason, type Failure } from '../core/failure';
import type { ParkReason } from '../core/failure-codes';
import type { Folder, Model } from '../core/ports';
import { fail, ok, type Result } from '../core/result';
import type { ResultRow } from '../core/results';
import type { PauseReason, TaskRow } from '../core/task';
import { ActiveTime } from './active-time';
import { Committer } from './committer';
import { DEFAULT_CONTEXT_TOKENS, MIN_CONTEXT_TOKENS, type EnginePorts } from './engine-ports';
import type { JobContext } from './job';
import { Parking } from './parking';
import { PartialKeeper } from './partials/partial-keeper';
import { retryDelayMs } from './retry-policy';
import { TimedFolder } from './timed-folder';
import { TokenCount } from './token-count';
import { Wakeup } from './wakeup';

const OUT_OF_REACH = {
  needs_permission: 'folder_permission',
  missing: 'folder_missing',
  silent: 'folder_timeout',
} as const;

/** Shorter waits are over before anybody has read of them. */
const SHOWN_RATE_WAIT_MS = 2_000;

/**
 * The owner's hand on a task: its latest row, the one way to change it, its model and folder, and how it waits.
 * Lives as long as one ownership.
 */
export class OwnedTask {
  readonly ports: EnginePorts;
  readonly signal: AbortSignal;
  readonly partials: PartialKeeper;
  readonly #committer: Committer;
  readonly #active: ActiveTime;
  readonly #parking: Parking;
  readonly #tokens: TokenCount;
  readonly #wakeup: Wakeup;
  readonly #proceeding: Wakeup;
  #row: TaskRow;
  /** As last opened: what it is called and how much it reads stays known while it is to be opened anew. */
  #model: Model | null = null;
  /** Goes up whenever the endpoint may have become another; which of them the model was opened after. */
  #changes = 0;
  #openedAfter = 0;
  #folder: Folder | null = null;
  #holds = 0;
  #rateShownUntilMs = 0;
  #parked: Promise<unknown> = Promise.resolve();
  /** What the task was paused for when it became ours. */
  readonly #foundWith: Failure | null;

  /** `wakeup` makes it look now at what it is parked for; `proceeding` is notified by the person's "continue" alone. */
  constructor(ports: EnginePorts, row: TaskRow, signal: AbortSignal, wakeup: Wakeup, proceeding = new Wakeup()) {
    this.ports = ports;
    this.signal = signal;
    this.#row = row;
    this.#foundWith = row.failure;
    this.#wakeup = wakeup;
    this.#proceeding = proceeding;
    this.#active = new ActiveTime(ports.clock);
    this.#tokens = new TokenCount(ports.extractor, row);
    this.#committer = new Committer({
      store: ports.store,
      clock: ports.clock,
      faults: ports.faults,
      task: row,
      takeActiveMs: () => this.#active.take(),
    });
    this.partials = new PartialKeeper({
      store: ports.store,
      clock: ports.clock,
      estimateTokens: (text) => ports.extractor.estimateTokens(text),
      row: () => this.#row,
      signal,
    });
    this.#parking = new Parking({
      clock: ports.clock,
      breaker: ports.breakers.of(row.endpointId),
      openModel: () => this.openModel(),
      openFolder: () => this.openFolder(),
    });
  }

  get row(): TaskRow {
    return this.#row;
  }

  /** Saves a draft; resolves once it is saved. Rejects with `CommitRefused` when the task is no longer ours. */
  async submit(draft: CommitDraft): Promise<TaskRow> {
    const whole = { ...draft, task: { ...this.#tokens.unsaved(this.#row), ...draft.task } };
    const row = await this.#committer.submit(draft.results?.length ? this.#withPartials(whole, draft.results) : whole);
    if (row.seq > this.#row.seq) this.#row = row;
    return row;
  }

  #withPartials(draft: CommitDraft, results: readonly ResultRow[]): CommitDraft {
    const settledPartials = [...(draft.settledPartials ?? []), ...this.partials.settledWith(results)];
    const { atRisk } = this.partials;
    return { ...draft, settledPartials, ...(atRisk ? { task: { ...draft.task, atRisk } } : {}) };
  }

  /** Saves a change of the task's state, strictly, with a line of activity. */
  async change(task: TaskPatch, what: ActivityKind, why: Failure | null = null, details: NewActivity['details'] = {}) {
    if (task.status === 'running') this.#active.start();
    else if (task.status !== undefined) this.#active.stop();
    await this.submit({ task, activity: [{ what, details, failure: why }], durability: 'strict' });
  }

  /** Time that the task has been running, up to now; what is being saved at this moment may be missing. */
  get activeMs(): number {
    return this.#row.activeMs + this.#active.untakenMs;
  }

  slept(lateMs: number): void {
    if (this.#row.status === 'running') this.#active.discount(lateMs);
  }

  get isStorageTroubled(): boolean {
    return this.#committer.isTroubled;
  }

  /** Saves nothing more: the task is about to be deleted. */
  abandon(): void {
    this.#committer.abandon();
  }

  drained(): Promise<void> {
    return this.#committer.drained();
  }

  async openModel(): Promise<Result<Model>> {
    const changes = this.#changes;
    const opened = await this.ports.models.open(this.#row.endpointId);
    if (opened.ok) {
      this.#model = opened.value;
      this.#tokens.begin(opened.value);
      // One that came meanwhile may not have been seen.
      this.#openedAfter = changes;
    } else this.forgetModel();
    return opened;
  }

  /** The endpoint may have been changed: the next request is asked of it as it is then. */
  forgetModel(): void {
    this.#changes += 1;
  }

  async openFolder(): Promise<Result<Folder>> {
    const row = await this.ports.store.folder(this.#row.folderId);
    if (!row.ok) return row;
    if (!row.value) return fail(failure('folder_missing', { details: { folder: this.#row.folderName } }));
    const opened = await this.ports.folders.open(row.value);
    if (!opened.ok) {
      this.#folder = null;
      return opened;
    }
    this.#folder = new TimedFolder(opened.value, this.ports.clock, this.#row.folderName);
    return ok(this.#folder);
  }

  async model(): Promise<Result<Model>> {
    const isCurrent = this.#openedAfter === this.#changes;
    return this.#model && isCurrent ? ok(this.#model) : this.openModel();
  }

  /** The folder as last found readable; a read that fails tells by itself when that is over. */
  async folder(): Promise<Result<Folder>> {
    return this.#folder ? ok(this.#folder) : this.openFolder();
  }

  /** The folder, looked at now and found readable. Failures: `folder_permission`, `folder_missing`, `folder_timeout`. */
  async readableFolder(): Promise<Result<Folder>> {
    const folder = await this.folder();
    if (!folder.ok) return folder;
    const access = await folder.value.access();
    if (access === 'ready') return folder;
    return fail(failure(OUT_OF_REACH[access], { details: { folder: this.#row.folderName } }));
  }

  /** Asks for something until it is there, parked in between. Failures that no waiting mends come back. */
  async obtain<T>(ask: () => Promise<Result<T>>): Promise<Result<T>> {
    for (;;) {
      const asked = await ask();
      if (asked.ok || parkReason(asked.failure.code) === null) return asked;
      await this.park(asked.failure);
    }
  }

  /**
   * Pauses the task for a reason that ends by itself or by the person, until it ended. `wakeup` makes it look now.
   * `more` is saved in the same commit. One reason after the other: the row can name one, and one end must not hide that
   * another still holds.
   */
  park(why: Failure, wakeup: Wakeup = this.#wakeup, more: TaskPatch = {}): Promise<void> {
    const parked = this.#parked.then(() => this.#park(why, wakeup, more));
    this.#parked = parked.catch(() => undefined);
    return parked;
  }

  async #park(why: Failure, wakeup: Wakeup, more: TaskPatch): Promise<void> {
    this.signal.throwIfAborted();
    const reason: PauseReason & ParkReason = parkReason(why.code) ?? 'attention';
    wakeup.forget();
    await this.change({ ...more, status: 'paused', reason, failure: why, hold: null }, 'paused', why, { reason });
    await this.#parking.untilGone(why, this.signal, wakeup);
    this.forgetModel();
    this.#folder = null;
    await this.change({ status: 'running', reason: null, failure: null }, 'continued');
  }

  /**
   * What an earlier owner or another task found the endpoint to be, while it is not time to look again; null when it may
   * be asked.
   */
  async knownOutage(): Promise<Failure | null> {
    const breaker = this.ports.breakers.of(this.#row.endpointId);
    await breaker.ready();
    if (breaker.state !== 'open' || breaker.code === null) return null;
    return this.#foundWith?.code === breaker.code ? this.#foundWith : failure(breaker.code);
  }

  /**
   * Holds new requests for as long as the server asked, or for a growing while; the task goes on running. A look at the
   * page does not cut it short, only "continue" does.
   */
  async hold(why: Failure): Promise<void> {
    this.#holds += 1;
    this.#proceeding.forget();
    const delayMs = retryDelayMs(this.#holds, why, this.ports.random);
    const untilMs = this.ports.clock.now() + delayMs;
    await this.change({ hold: { code: why.code, untilMs } }, 'held', why, { delayMs: Math.round(delayMs) });
    const over = new AbortController();
    const either = AbortSignal.any([this.signal, over.signal]);
    await Promise.race([this.ports.clock.sleep(delayMs, either), this.#proceeding.wait(either)]).finally(() => {
      over.abort();
    });
    this.signal.throwIfAborted();
    await this.submit({ task: { hold: null } });
  }

  /** Shows that requests stand in line for the endpoint's own limits of a minute; a short stand is not worth a line. */
  waitForRate(delayMs: number): void {
    const nowMs = this.ports.clock.now();
    if (delayMs < SHOWN_RATE_WAIT_MS || nowMs < this.#rateShownUntilMs) return;
    this.#rateShownUntilMs = nowMs + delayMs;
    if (this.#row.hold !== null && this.#row.hold.untilMs > nowMs) return;
    const hold = { code: 'rate_reached', untilMs: nowMs + Math.ceil(delayMs) } as const;
    // Not waited for: a refused one comes back with the next commit.
    this.submit({ task: { hold } }).catch(() => undefined);
  }

  /** A request was answered: whatever was wrong is over. */
  answered(): void {
    this.#holds = 0;
    this.#parking.succeeded();
  }

  get contextTokens(): number {
    const { contextTokens, contextOf } = this.#row;
    const isOfAnother = contextOf !== undefined && this.#model !== null && this.#model.source !== contextOf;
    return (isOfAnother ? null : contextTokens) ?? this.#model?.contextTokens ?? DEFAULT_CONTEXT_TOKENS;
  }

  /**
   * The server said that a request planned with `triedTokens` was too long: plan with the limit that it states, in the
   * refusal or with its models; half is a guess for a server that states none, unless it is the count that was too low.
   * Null when no limit is learned: the stated one was kept, there is no less, or another request has taught as much
   * meanwhile.
   */
  learnContext(why: Failure, triedTokens: number): CommitDraft | null {
    const isRaised = why.code === 'context_overflow' && this.#model !== null && this.#tokens.raise(this.#model);
    const told = why.details['limitTokens'];
    const stated = typeof told === 'number' && told > 0 ? told : (this.#model?.contextTokens ?? null);
    const source = this.#model?.source;
    const learned = stated ?? (isRaised ? triedTokens : Math.floor(triedTokens / 2));
    if (learned >= triedTokens || learned < MIN_CONTEXT_TOKENS || learned >= this.contextTokens) return null;
    return {
      task: { contextTokens: learned, ...(source !== undefined && { contextOf: source }) },
      activity: [{ what: 'context_learned', details: { contextTokens: learned }, failure: why }],
    };
  }

  jobContext(): JobContext {
    const { store, digest } = this.ports;
    return {
      task: this.#row,
      store,
      digest,
      extractor: this.#tokens.extractor,
      contextTokens: this.contextTokens,
      modelIdentity: this.#model?.identity ?? '',
    };
  }
}
