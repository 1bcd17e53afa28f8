/** A bound on how much is done at once. */
export class Slots {
  #free: number;
  readonly #size: number;
  readonly #waiting: (() => void)[] = [];
  readonly #idle: (() => void)[] = [];

  constructor(size: number) {
    this.#size = size;
    this.#free = size;
  }

  async take(): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  give(): void {
    const next = this.#waiting.shift();
    if (next) return next();
    this.#free += 1;
    if (this.#free === this.#size) for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** Resolves when nothing is being done. */
  async idle(): Promise<void> {
    if (this.#free < this.#size) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }
}
