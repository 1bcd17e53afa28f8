/** How much a new measurement counts against what was known. */
const NEWEST = 0.2;
const MOST = 8;

/**
 * How many files to read and prepare ahead of a free request. Preparing takes turns through storage and other threads;
 * where requests are quick, a slot that waits for it is lost throughput. Where they are slow one file ahead is enough,
 * and a file is read as late as can be: it may still change.
 */
export class Lookahead {
  #preparingMs = 0;
  #askingMs = 0;

  observe(preparingMs: number, askingMs: number): void {
    this.#preparingMs += NEWEST * (preparingMs - this.#preparingMs);
    this.#askingMs += NEWEST * (askingMs - this.#askingMs);
  }

  /** Steps to hand out beyond those that may ask at once: from 1 to 8. */
  steps(concurrency: number): number {
    if (this.#askingMs <= 0) return 1;
    const busy = Math.ceil((concurrency * this.#preparingMs) / this.#askingMs);
    return Math.min(MOST, Math.max(1, busy));
  }
}
