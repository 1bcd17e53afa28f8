/** Calls whose answer has not come. A dead worker sends none, so they are settled from here. */
export class PendingCalls {
  readonly #rejecters = new Set<(reason: Error) => void>();

  get size(): number {
    return this.#rejecters.size;
  }

  track<T>(call: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#rejecters.add(reject);
      call()
        .then(resolve, reject)
        .finally(() => this.#rejecters.delete(reject));
    });
  }

  rejectAll(reason: Error): void {
    const rejecters = [...this.#rejecters];
    this.#rejecters.clear();
    for (const reject of rejecters) reject(reason);
  }
}
