/** How many requests may be out at once. The limit can change while work is going on; waiters are served in order. */
export class Permits {
  #limit: number;
  #taken = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  get limit(): number {
    return this.#limit;
  }

  resize(limit: number): void {
    this.#limit = Math.max(1, limit);
    this.#grant();
  }

  /** Resolves to what gives the permit back; calling that again does nothing. Rejects with the signal's reason when it fires first. */
  async take(signal: AbortSignal): Promise<() => void> {
    await this.#wait(signal);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#taken -= 1;
      this.#grant();
    };
  }

  async #wait(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#taken < this.#limit) {
      this.#taken += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const grant = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(grant), 1);
        reject(abortReason(signal));
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(grant);
    });
  }

  #grant(): void {
    while (this.#taken < this.#limit) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#taken += 1;
      next();
    }
  }
}

function abortReason(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new DOMException('Aborted', 'AbortError');
}
