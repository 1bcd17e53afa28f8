/** Stands open until somebody closes it, and opens when everybody who closed it has opened it again. */
export class Gate {
  readonly #closers = new Set<symbol>();
  readonly #listeners = new Set<() => void>();
  #waiting: (() => void)[] = [];

  /** Closes; call what it returns to open. */
  close(): () => void {
    const closer = Symbol('closer');
    this.#closers.add(closer);
    for (const listener of this.#listeners) listener();
    return () => {
      this.#closers.delete(closer);
      if (this.#closers.size > 0) return;
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const go of waiting) go();
    };
  }

  /** Calls whenever somebody closes it. Call what it returns to hear no more. */
  onClose(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves while the gate stands open. Rejects with `AbortError` when the signal fires first. */
  async pass(signal: AbortSignal): Promise<void> {
    while (this.#closers.size > 0) {
      signal.throwIfAborted();
      await new Promise<void>((resolve) => {
        const go = () => {
          signal.removeEventListener('abort', go);
          resolve();
        };
        signal.addEventListener('abort', go, { once: true });
        this.#waiting.push(go);
      });
    }
    signal.throwIfAborted();
  }
}
