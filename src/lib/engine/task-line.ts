import { LEASE_MS, LOOK_EVERY_MS, Quiet } from '../core/lease';
import type { TaskId } from '../core/ids';
import type { CheckpointStore, Clock, Locks, Random } from '../core/ports';
import { isAbort } from '../core/result';

interface TaskLineOptions {
  readonly locks: Locks;
  readonly store: Pick<CheckpointStore, 'task' | 'lease'>;
  readonly clock: Clock;
  readonly random: Random;
}

/** So that of several who find an owner frozen one is first, and the others see it. */
const MAX_JITTER_MS = 2_000;

/**
 * The lines before the tasks' locks. A lock comes free by itself when its holder ends; one whose holder shows no sign of
 * life for the time of the lease is taken from it.
 */
export class TaskLine {
  readonly #options: TaskLineOptions;
  readonly #watching = new Map<TaskId, Set<Quiet>>();

  constructor(options: TaskLineOptions) {
    this.#options = options;
  }

  /**
   * Runs `work` as the task's only holder; waits as long as the signal lets. `lost` fires when another has taken the
   * lock from us: the work must end then, and save nothing.
   */
  async hold<T>(id: TaskId, signal: AbortSignal, work: (lost: AbortSignal) => Promise<T>): Promise<T> {
    const name = `task/${id}`;
    const { locks } = this.#options;
    const entered = new AbortController();
    const place = new AbortController();
    const waiting = AbortSignal.any([signal, place.signal]);
    const held = locks.hold(name, waiting, (lost) => {
      entered.abort();
      return work(lost);
    });
    void this.#untilQuiet(id, AbortSignal.any([signal, entered.signal])).then(
      () => place.abort(),
      () => undefined,
    );
    try {
      return await held;
    } catch (error) {
      const isOurTurn = isAbort(error) && place.signal.aborted && !entered.signal.aborted && !signal.aborted;
      if (!isOurTurn) throw error;
    } finally {
      entered.abort();
    }
    return locks.hold(name, signal, work, { steal: true });
  }

  /** The task's holder said that it lives. */
  heard(id: TaskId): void {
    for (const quiet of this.#watching.get(id) ?? []) quiet.heard();
  }

  /** Resolves when the holder counts as frozen; rejects with `AbortError` when the signal fires. */
  async #untilQuiet(id: TaskId, signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#options;
    const quiet = new Quiet();
    const watching = this.#watching.get(id) ?? new Set();
    this.#watching.set(id, watching.add(quiet));
    const limitMs = LEASE_MS + random() * MAX_JITTER_MS;
    try {
      for (let quietMs = 0; quietMs < limitMs;) {
        await clock.sleep(Math.min(LOOK_EVERY_MS, Math.max(1, limitMs - quietMs)), signal);
        const sign = await this.#sign(id);
        signal.throwIfAborted();
        quietMs = quiet.look(sign, clock.monotonicMs());
      }
    } finally {
      watching.delete(quiet);
      if (watching.size === 0) this.#watching.delete(id);
    }
  }

  /** Changes with every beat, and with every commit: who works need not beat. Null when storage does not tell. */
  async #sign(id: TaskId): Promise<string | null> {
    const { store } = this.#options;
    const [lease, task] = await Promise.all([store.lease(id), store.task(id)]);
    if (!lease.ok || (!task.ok && task.failure.verdict === 'wait')) return null;
    const { epoch = 0, seq = 0 } = (task.ok && task.value) || {};
    return [epoch, seq, lease.value?.epoch, lease.value?.beat].join('/');
  }
}
