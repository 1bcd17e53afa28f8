import type { TaskId } from '../core/ids';
import type { CheckpointStore } from '../core/ports';
import type { TaskRow } from '../core/task';
import type { EffectAnswers } from './effects/answer-effects';
import type { TaskCommand } from './owner-channel';

/** One thing that the person asked for. Once the rows have moved on, somebody else has done it. */
export interface Wish<T> {
  readonly wanted: T;
  readonly stillMeant: (row: TaskRow) => boolean | Promise<boolean>;
}

/** All that is asked for of one task. */
export interface Wishes {
  readonly command: Wish<TaskCommand> | null;
  readonly width: Wish<number> | null;
  readonly answers: readonly EffectAnswers[];
}

const NOTHING: Wishes = { command: null, width: null, answers: [] };

/** What the person asked for in this tab, by task, until the task is ours or its owner says that it is done. */
export class WishList {
  readonly #wishes = new Map<TaskId, Wishes>();

  has(id: TaskId): boolean {
    return this.#wishes.has(id);
  }

  /** The last word counts. */
  keepCommand(id: TaskId, command: Wish<TaskCommand>): void {
    this.#put(id, { ...this.#of(id), command });
  }

  keepWidth(id: TaskId, width: Wish<number>): void {
    this.#put(id, { ...this.#of(id), width });
  }

  keepAnswers(id: TaskId, ...answers: readonly EffectAnswers[]): void {
    this.#put(id, { ...this.#of(id), answers: [...this.#of(id).answers, ...answers] });
  }

  take(id: TaskId): Wishes {
    const wishes = this.#of(id);
    this.#wishes.delete(id);
    return wishes;
  }

  /** The owner has done it: another owner, hours later, must not do it again. */
  dropCommand(id: TaskId, done: TaskCommand): void {
    const wishes = this.#of(id);
    if (wishes.command?.wanted === done) this.#put(id, { ...wishes, command: null });
  }

  dropWidth(id: TaskId): void {
    this.#put(id, { ...this.#of(id), width: null });
  }

  #of(id: TaskId): Wishes {
    return this.#wishes.get(id) ?? NOTHING;
  }

  #put(id: TaskId, wishes: Wishes): void {
    if (wishes.command || wishes.width || wishes.answers.length > 0) this.#wishes.set(id, wishes);
    else this.#wishes.delete(id);
  }
}

/** A command asked for in a tab that does not hold the task, which looked like `asked` then. */
export function commandWish(
  store: Pick<CheckpointStore, 'stepsByStatus'>,
  wanted: TaskCommand,
  asked: TaskRow,
): Wish<TaskCommand> {
  const isSame = (now: TaskRow) =>
    asked.epoch === now.epoch && asked.status === now.status && asked.reason === now.reason;
  if (wanted !== 'retry_failed' || asked.counts.failed === 0) return { wanted, stillMeant: isSame };
  return { wanted, stillMeant: async (now) => isSame(now) && hasFailedBefore(store, asked, now) };
}

/** Steps that run again are written again: one that failed before it was asked for has not been run again since. */
async function hasFailedBefore(
  store: Pick<CheckpointStore, 'stepsByStatus'>,
  asked: TaskRow,
  now: TaskRow,
): Promise<boolean> {
  const failed = await store.stepsByStatus(now.id, 'failed', MOST_STEPS);
  return failed.ok && failed.value.some(({ seq }) => seq <= asked.seq);
}

const MOST_STEPS = 100_000;
