/** Grow while it pays, stay where more brings nothing, halve where the server chokes. */
export type RoundVerdict = 'grow' | 'back' | 'stay' | 'halve';

interface Reference {
  readonly atOnce: number;
  readonly latencyMs: number;
}

/** So much wider than the reference, a limit has to show that it brings something. */
const TRIED_SHARE = 1.25;
/** Less than that more of answers in a second is noise. */
const WORTH_SHARE = 1.1;
/** A queue explains a latency that grows as the limit does; twice that is a server in trouble. */
const CHOKING = 2;
/** The reference follows a server that gets slower for other reasons, slowly. */
const FOLLOWED_SHARE = 0.1;
/** After so many rounds a wider limit is tried once more: servers change. */
const STAY_ROUNDS = 8;

/**
 * Judges rounds of answers by what they tell of the server's throughput (requests at once over the time that each took).
 * Batching servers get slower with each request and still do more, so that latency alone decides nothing.
 */
export class RoundJudge {
  #reference: Reference | null = null;
  #stayed = 0;
  #isSettled = false;

  /** The last width that was worth its requests; null until a round was judged. */
  get settledAt(): number | null {
    return this.#reference?.atOnce ?? null;
  }

  judge(atOnce: number, latencyMs: number): RoundVerdict {
    const reference = this.#reference;
    if (reference === null || latencyMs <= 0) return this.#refer(atOnce, latencyMs);
    const widened = atOnce / reference.atOnce;
    const slowed = latencyMs / reference.latencyMs;
    if (slowed > CHOKING * Math.max(1, widened)) {
      this.forget();
      return 'halve';
    }
    if (widened < TRIED_SHARE || this.#isSettled) {
      const followedMs = reference.latencyMs + (latencyMs - reference.latencyMs) * FOLLOWED_SHARE;
      this.#reference = { ...reference, latencyMs: Math.min(latencyMs, followedMs) };
      return this.#isSettled ? this.#stay() : 'grow';
    }
    if (widened / slowed >= WORTH_SHARE) return this.#refer(atOnce, latencyMs);
    this.#isSettled = true;
    return 'back';
  }

  /** What was measured holds no longer. */
  forget(): void {
    this.#reference = null;
    this.#isSettled = false;
    this.#stayed = 0;
  }

  #refer(atOnce: number, latencyMs: number): RoundVerdict {
    this.forget();
    if (latencyMs > 0) this.#reference = { atOnce, latencyMs };
    return 'grow';
  }

  #stay(): RoundVerdict {
    this.#stayed += 1;
    if (this.#stayed >= STAY_ROUNDS) this.forget();
    return 'stay';
  }
}
