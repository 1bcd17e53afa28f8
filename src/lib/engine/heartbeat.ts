import { BEAT_EVERY_MS } from '../core/lease';
import type { TaskId } from '../core/ids';
import type { CheckpointStore, Clock } from '../core/ports';

interface HeartbeatOptions {
  readonly store: Pick<CheckpointStore, 'beat'>;
  readonly clock: Clock;
  readonly id: TaskId;
  /** Tells the other tabs, without storage, that the holder lives. */
  readonly sayAlive: () => void;
  /** The task is another's, or gone: nothing more may be done for it. */
  readonly onTaken: () => void;
}

/**
 * The signs of life of a task's holder: beats of its lease once it owns the task, and words to the other tabs while it
 * does not yet, or while storage keeps a beat waiting or refuses it.
 */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  readonly #over = new AbortController();
  #epoch: number | null = null;
  #isBeating = false;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    void this.#live();
  }

  /** From now on the lease beats for this epoch, for the first time at once. */
  own(epoch: number): void {
    this.#epoch = epoch;
    void this.#sign();
  }

  stop(): void {
    this.#over.abort();
  }

  async #live(): Promise<void> {
    const { signal } = this.#over;
    while (!signal.aborted) {
      void this.#sign();
      await this.#options.clock.sleep(BEAT_EVERY_MS, signal).catch(() => undefined);
    }
  }

  async #sign(): Promise<void> {
    const { store, id, sayAlive, onTaken } = this.#options;
    if (this.#epoch === null || this.#isBeating) {
      sayAlive();
      return;
    }
    this.#isBeating = true;
    const beaten = await store.beat(id, this.#epoch);
    this.#isBeating = false;
    if (beaten.ok || this.#over.signal.aborted) return;
    if (beaten.failure.code === 'fenced' || beaten.failure.code === 'task_missing') onTaken();
    else sayAlive();
  }
}
