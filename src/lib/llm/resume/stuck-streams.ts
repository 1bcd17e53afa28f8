interface Stalled {
  readonly times: number;
  readonly tokens: number;
}

/** Reading such a stream again was of no use once. */
const STUCK_TIMES = 2;
/** More than can be under way at one server. */
const MOST_KNOWN = 256;

/** Which of a server's streams do not go on: two tries in a row ran out of time on it, the second without a further word. */
export class StuckStreams {
  readonly #stalled = new Map<string, Stalled>();

  /** A try ran out of time on the stream, with so many tokens of its answer there. Without any it may stand in a queue. */
  ranOut(id: string, tokens: number): void {
    if (tokens === 0) return;
    const before = this.#stalled.get(id);
    const times = before && tokens <= before.tokens ? before.times + 1 : 1;
    this.#stalled.delete(id);
    this.#stalled.set(id, { times, tokens });
    for (const oldest of this.#stalled.keys()) {
      if (this.#stalled.size <= MOST_KNOWN) return;
      this.#stalled.delete(oldest);
    }
  }

  has(id: string): boolean {
    return (this.#stalled.get(id)?.times ?? 0) >= STUCK_TIMES;
  }
}
