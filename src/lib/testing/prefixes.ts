import type { Commit } from '../core/commit';
import type { CheckpointStore } from '../core/ports';
import { MemoryCheckpointStore } from '../storage/checkpoint-store-memory';
import { TASK } from './engine-bench';
import { FAKE_FOLDER_ROW } from './fake-folder';
import { rowsOf, type TaskRows } from './task-rows';

/** What a task's rows must be after each commit, told by carrying out the same commits elsewhere. */
export class Prefixes {
  readonly bySeq = new Map<number, TaskRows>();
  acknowledged = 0;
  /** Told after each commit that was sent, before it is answered. */
  onSent: () => void = () => undefined;
  readonly #shadow = new MemoryCheckpointStore();

  /** The same store, watched. */
  async watch(store: CheckpointStore): Promise<CheckpointStore> {
    const { task } = await rowsOf(store, TASK);
    await this.#shadow.createTask(task, FAKE_FOLDER_ROW);
    this.bySeq.set(0, await rowsOf(this.#shadow, TASK));
    const commit = async (given: Commit) => {
      if (given.taskId !== TASK) return store.commit(given);
      await this.#carryOut(given);
      const saving = store.commit(given);
      this.onSent();
      const saved = await saving;
      if (saved.ok) this.acknowledged = saved.value.seq;
      return saved;
    };
    return new Proxy(store, {
      get: (target, name) => {
        if (name === 'commit') return commit;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function'
          ? (...args: unknown[]): unknown => Reflect.apply(value, target, args)
          : value;
      },
    });
  }

  async #carryOut(commit: Commit): Promise<void> {
    const before = await this.#shadow.task(TASK);
    if (!before.ok || !before.value) throw new Error('no shadow');
    const { epoch } = before.value;
    if (epoch < commit.epoch) await this.#shadow.own(TASK, commit.atMs);
    const saved = await this.#shadow.commit(commit);
    if (!saved.ok) throw new Error(saved.failure.code);
    this.bySeq.set(saved.value.seq, await rowsOf(this.#shadow, TASK));
  }
}
