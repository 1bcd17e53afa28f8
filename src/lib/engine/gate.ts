/** Stands open until somebody closes it, and opens when everybody who closed it has opened it again. */
export class Gate {
  readonly #closers = new Set<symbol>();
  #waiting: (() => void)[] = [];

  /** Closes; call what it returns to open. */
  close(): () => void {
    const closer = Symbol('closer');
    this.#closers.add(closer);
    return () => {
      this.#closers.delete(closer);
      if (this.#closers.size > 0) return;
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const go of waiting) go();
    };
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
