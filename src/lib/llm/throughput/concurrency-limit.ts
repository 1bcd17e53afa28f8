import { wholeAtLeastOne, type ConcurrencyRange } from './concurrency-start';
import { RoundJudge } from './round-judge';

/** A request that is out. It is given back once, with how it went. */
export interface Sent {
  readonly serial: number;
}

/** Of fewer answers the middle one is chance. */
const LEAST_ROUND = 3;

/**
 * How many requests may be out at once: one more after each round of good answers while that pays, half as many when the
 * server refuses (429, 503) or chokes. Halved at most once a round trip: what was sent before a halving says nothing of
 * the limit after it. Time is told by the caller; nothing waits here.
 */
export class ConcurrencyLimit {
  readonly #judge = new RoundJudge();
  readonly #out = new Set<Sent>();
  #most: number;
  #allowed: number;
  #serial = 0;
  /** Requests from this one on were sent under the limit as it is now. */
  #since = 0;
  #latenciesMs: number[] = [];

  constructor(range: ConcurrencyRange) {
    this.#most = wholeAtLeastOne(range.most);
    this.#allowed = Math.min(this.#most, wholeAtLeastOne(range.start));
  }

  /** From 1 to the most that was given. */
  get allowed(): number {
    return this.#allowed;
  }

  get out(): number {
    return this.#out.size;
  }

  get isFull(): boolean {
    return this.#out.size >= this.#allowed;
  }

  /** A smaller one holds at once, for new requests. A larger one too where nothing spoke against the last; else it is grown to. */
  setMost(most: number): void {
    const wasAtMost = this.#allowed === this.#most;
    this.#most = wholeAtLeastOne(most);
    if (wasAtMost || this.#allowed > this.#most) this.#change(this.#most);
  }

  /** Null when as many are out as may be. */
  send(): Sent | null {
    if (this.isFull) return null;
    const sent = { serial: this.#serial };
    this.#serial += 1;
    this.#out.add(sent);
    return sent;
  }

  /** A good answer. `latencyMs` in any measure that grows with the wait and not with the question, such as a token's time. */
  answered(sent: Sent, latencyMs: number): void {
    // Where there is too little work to fill the limit, answers say nothing of whether it is right.
    const wasFull = this.isFull;
    if (!this.#end(sent) || !wasFull || sent.serial < this.#since || !(latencyMs >= 0 && latencyMs < Infinity)) return;
    this.#latenciesMs.push(latencyMs);
    if (this.#latenciesMs.length < Math.max(LEAST_ROUND, this.#allowed)) return;
    const middleMs = median(this.#latenciesMs);
    switch (this.#judge.judge(this.#allowed, middleMs)) {
      case 'grow':
        return this.#change(Math.min(this.#most, this.#allowed + 1));
      case 'back':
        return this.#change(Math.min(this.#most, this.#judge.settledAt ?? this.#allowed));
      case 'stay':
        return this.#change(this.#allowed);
      case 'halve':
        return this.#halve();
    }
  }

  /** The server said that it is too much: 429, 503, a full queue. */
  refused(sent: Sent): void {
    if (!this.#end(sent) || sent.serial < this.#since) return;
    this.#judge.forget();
    this.#halve();
  }

  /** It ended in a way that says nothing of how much the server bears. */
  dropped(sent: Sent): void {
    this.#end(sent);
  }

  #end(sent: Sent): boolean {
    return this.#out.delete(sent);
  }

  #halve(): void {
    this.#change(Math.max(1, Math.floor(this.#allowed / 2)));
  }

  #change(allowed: number): void {
    this.#allowed = allowed;
    this.#since = this.#serial;
    this.#latenciesMs = [];
  }
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
