import type { BreakerRow } from '../core/breaker';
import { isFailureCode, type FailureCode } from '../core/failure-codes';
import type { EndpointId } from '../core/ids';
import type { Clock, ProfileStore } from '../core/ports';

/** Where breakers outlive their worker. What it cannot keep or give is done without. */
export type BreakerStore = Pick<ProfileStore, 'breaker' | 'putBreaker' | 'removeBreaker'>;

const FIRST_LOOK_MS = 2_000;
const LAST_LOOK_MS = 60_000;

/** `half_open`: the time to look has come, or a look found it in reach, and no request was answered yet. */
type BreakerState = 'closed' | 'open' | 'half_open';

interface Outage {
  readonly failures: number;
  readonly code: FailureCode;
  readonly sinceMs: number;
  /** By the monotonic clock: a wall clock that is set neither hurries nor delays a look. */
  readonly lookAtMs: number;
}

/**
 * What one worker knows of an endpoint that is out of reach, shared by all its tasks there. The distance between looks
 * doubles from 2 s to 60 s until a request is answered: a probe that succeeds is not enough, since a server that answers
 * it but refuses the work must not be asked every two seconds all night. Kept over restarts.
 */
export class Breaker {
  readonly #id: EndpointId;
  readonly #store: BreakerStore;
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  readonly #onClosed: () => void;
  #outage: Outage | null = null;
  #loading: Promise<void> | null = null;
  #looking: Promise<boolean> | null = null;

  constructor(id: EndpointId, store: BreakerStore, clock: Clock, onClosed: () => void) {
    this.#id = id;
    this.#store = store;
    this.#clock = clock;
    this.#onClosed = onClosed;
  }

  /** Resolves once what an earlier worker left is known. Call it before anything else. */
  ready(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  get state(): BreakerState {
    if (!this.#outage) return 'closed';
    return this.leftMs > 0 ? 'open' : 'half_open';
  }

  /** What the endpoint was found to be the last time; null when nothing speaks against it. */
  get code(): FailureCode | null {
    return this.#outage?.code ?? null;
  }

  /** Time until the next look, in milliseconds. */
  get leftMs(): number {
    return this.#outage ? Math.max(0, this.#outage.lookAtMs - this.#clock.monotonicMs()) : 0;
  }

  /** Work found the endpoint out of reach. A look that is planned already stays where it is. */
  opened(code: FailureCode): void {
    if (this.state === 'open') return;
    this.#plan(this.#outage?.failures ?? 1, code);
  }

  /**
   * Looks, together with whoever looks already, and plans the next look for whoever waits on. Only a look at its time
   * makes the distance grow: coming back to the page does not slow it down.
   */
  look(isInReach: () => Promise<boolean>, isTimed: boolean): Promise<boolean> {
    this.#looking ??= this.#look(isInReach, isTimed).finally(() => (this.#looking = null));
    return this.#looking;
  }

  /** A request was answered: whatever was wrong is over, for every task on the endpoint. */
  succeeded(): void {
    if (this.#outage) this.forget();
  }

  /** What is known is not true any more, perhaps because the profile has another address now: whoever waits asks anew. */
  forget(): void {
    this.#outage = null;
    void this.#store.removeBreaker(this.#id).catch(() => undefined);
    for (const listener of [...this.#listeners]) listener();
    this.#onClosed();
  }

  /** Resolves when a request was answered, and when the signal fires. */
  async closed(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const leave = () => {
        this.#listeners.delete(leave);
        signal.removeEventListener('abort', leave);
        resolve();
      };
      this.#listeners.add(leave);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  async #look(isInReach: () => Promise<boolean>, isTimed: boolean): Promise<boolean> {
    const before = this.#outage;
    const found = await isInReach();
    // Closed meanwhile by a request that was answered.
    if (before && this.#outage) this.#plan(this.#outage.failures + (isTimed ? 1 : 0), this.#outage.code);
    return found || this.#outage === null;
  }

  #plan(failures: number, code: FailureCode): void {
    const delayMs = Math.min(FIRST_LOOK_MS * 2 ** (failures - 1), LAST_LOOK_MS);
    const nowMs = this.#clock.now();
    const sinceMs = this.#outage?.sinceMs ?? nowMs;
    this.#outage = { failures, code, sinceMs, lookAtMs: this.#clock.monotonicMs() + delayMs };
    const row: BreakerRow = { v: 1, id: this.#id, failures, code, sinceMs, nextLookMs: nowMs + delayMs };
    void this.#store.putBreaker(row).catch(() => undefined);
  }

  /** A row from before a change of the wall clock plans no look further off than any other. */
  async #load(): Promise<void> {
    const read = await this.#store.breaker(this.#id).catch(() => null);
    const row = read?.ok ? read.value : null;
    if (this.#outage || !row || !isSound(row)) return;
    const leftMs = Math.min(LAST_LOOK_MS, Math.max(0, row.nextLookMs - this.#clock.now()));
    const { failures, code, sinceMs } = row;
    this.#outage = { failures, code, sinceMs, lookAtMs: this.#clock.monotonicMs() + leftMs };
  }
}

function isSound({ failures, code, nextLookMs, sinceMs }: BreakerRow): boolean {
  return Number.isInteger(failures) && failures > 0 && isFailureCode(code) && Number.isFinite(nextLookMs + sinceMs);
}

/** The breakers of one worker, one an endpoint. */
export class Breakers {
  readonly #store: BreakerStore;
  readonly #clock: Clock;
  readonly #breakers = new Map<EndpointId, Breaker>();
  #listener: () => void = () => undefined;

  constructor(store: BreakerStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Called when an endpoint that was out of reach has answered, or was changed: other tabs may wait for it too. */
  onClosed(listener: () => void): void {
    this.#listener = listener;
  }

  of(id: EndpointId): Breaker {
    const known = this.#breakers.get(id);
    if (known) return known;
    const made = new Breaker(id, this.#store, this.#clock, () => this.#listener());
    this.#breakers.set(id, made);
    return made;
  }
}
