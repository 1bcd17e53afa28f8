import { abortError } from './abort-error';

export interface BatchLimits {
  readonly batchSize: number;
  /** A batch that is not full is handed on when its first item is this old. */
  readonly maxAgeMs: number;
  /** Items that may wait for the reader before writers are held up. */
  readonly capacity: number;
}

/** Many writers, one reader: items go through in batches, and a slow reader holds the writers up. */
export class BatchChannel<T> {
  readonly #limits: BatchLimits;
  #items: T[] = [];
  #oldestMs = 0;
  #closed = false;
  #error: { readonly cause: unknown } | null = null;
  #wakeReader: () => void = () => undefined;
  #heldUp: (() => void)[] = [];

  constructor(limits: BatchLimits) {
    this.#limits = limits;
  }

  push(item: T): void {
    if (this.#closed) return;
    if (this.#items.length === 0) this.#oldestMs = performance.now();
    this.#items.push(item);
    if (this.#ready()) this.#wakeReader();
  }

  /** Resolves when there is room, or nobody reads any more. */
  async room(): Promise<void> {
    while (!this.#closed && this.#items.length >= this.#limits.capacity) {
      await new Promise<void>((resolve) => this.#heldUp.push(resolve));
    }
  }

  close(): void {
    this.#closed = true;
    this.#wakeReader();
    this.#release();
  }

  /** The reader gets what is there, then the error. */
  fail(cause: unknown): void {
    if (!this.#closed) this.#error = { cause };
    this.close();
  }

  async *batches(signal: AbortSignal): AsyncGenerator<readonly T[]> {
    for (;;) {
      await this.#filled(signal);
      const batch = this.#items.splice(0, this.#limits.batchSize);
      if (batch.length > 0) {
        this.#oldestMs = performance.now();
        this.#release();
        yield batch;
      } else if (this.#error) {
        throw this.#error.cause;
      } else {
        return;
      }
    }
  }

  #ready(): boolean {
    if (this.#closed || this.#items.length >= this.#limits.batchSize) return true;
    return this.#items.length > 0 && performance.now() - this.#oldestMs >= this.#limits.maxAgeMs;
  }

  #release(): void {
    for (const resolve of this.#heldUp.splice(0)) resolve();
  }

  async #filled(signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw abortError();
    if (this.#ready()) return;
    await new Promise<void>((resolve, reject) => {
      const abort = () => reject(abortError());
      signal.addEventListener('abort', abort, { once: true });
      this.#wakeReader = () => {
        signal.removeEventListener('abort', abort);
        resolve();
      };
    });
  }
}
