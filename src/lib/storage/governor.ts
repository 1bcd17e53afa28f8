import type { CheckpointStore, Clock } from '../core/ports';

interface GovernorOptions {
  readonly store: Pick<CheckpointStore, 'freeUnused'>;
  readonly clock: Clock;
  /** The browser's own numbers; null when it gives none. They are rough: a refused write tells better, see `Committer`. */
  readonly estimate: () => Promise<{ readonly usedBytes: number; readonly quotaBytes: number } | null>;
}

/** Kept free where that costs nothing but answers which no task uses. */
const RESERVE_BYTES = 64_000_000;
/** Nor more than this share of what is allowed: a private window may allow little. */
const RESERVE_SHARE = 0.1;

/** Looks ahead: makes room before a write is refused, as far as the browser's numbers tell. */
export class StorageGovernor {
  readonly #options: GovernorOptions;

  constructor(options: GovernorOptions) {
    this.#options = options;
  }

  /** Frees what is lacking to the reserve, if anything. Trouble with storage is for those to tell who have to write. */
  async look(): Promise<void> {
    const { store, clock, estimate } = this.#options;
    const found = await estimate();
    if (found === null) return;
    const { usedBytes, quotaBytes } = found;
    const lackingBytes = Math.min(RESERVE_BYTES, quotaBytes * RESERVE_SHARE) - (quotaBytes - usedBytes);
    if (lackingBytes > 0) await store.freeUnused(lackingBytes, clock.now());
  }
}
