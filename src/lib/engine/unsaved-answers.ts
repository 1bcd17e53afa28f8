import type { ResultKey } from '../core/ids';

/**
 * The permits of one step's answers that are not saved yet. A request's turn ends when its answer is on disk, not when
 * it has arrived: a kill can then never cost more calls than may be out at once.
 */
export class UnsavedAnswers {
  readonly #held = new Map<ResultKey, () => void>();

  /** Keeps the permit that this answer was asked with. */
  hold(key: ResultKey, release: () => void): void {
    this.#held.get(key)?.();
    this.#held.set(key, release);
  }

  /** The answer is on its way to the disk: its permit is free once that has ended, however it ended. */
  saving(key: ResultKey, saved: Promise<unknown>): void {
    const release = this.#held.get(key);
    if (!release) return;
    this.#held.delete(key);
    saved.then(release, release);
  }

  /** Whatever is held now will not be saved. */
  drop(): void {
    for (const release of this.#held.values()) release();
    this.#held.clear();
  }
}
