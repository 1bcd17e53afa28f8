import { mergeDrafts, type CommitDraft } from '../core/commit';
import type { Failure } from '../core/failure';
import type { TaskId } from '../core/ids';
import type { CheckpointStore, Clock } from '../core/ports';
import type { TaskRow } from '../core/task';

/** A commit that will never be accepted: another owner took the task, or it is gone. The run must end. */
export class CommitRefused extends Error {
  readonly failure: Failure;

  constructor(refusal: Failure) {
    super(refusal.message);
    this.name = 'CommitRefused';
    this.failure = refusal;
  }
}

interface Pending {
  readonly draft: CommitDraft;
  readonly resolve: (task: TaskRow) => void;
  readonly reject: (error: CommitRefused) => void;
}

interface CommitterOptions {
  readonly store: CheckpointStore;
  readonly clock: Clock;
  readonly taskId: TaskId;
  readonly epoch: number;
  /** Running time since it was last asked, in milliseconds. */
  readonly takeActiveMs: () => number;
}

const TROUBLE_RETRY_MS = 2_000;
const GOES_ON = { status: 'running', reason: null, failure: null } as const;

/**
 * Every change of an owned task goes through here. Drafts that become ready while a transaction is on its way go
 * together in the next one, in order. Nothing is dropped: while storage refuses, drafts wait.
 */
export class Committer {
  readonly #options: CommitterOptions;
  #queue: Pending[] = [];
  #writing: Promise<void> | null = null;
  #refused: CommitRefused | null = null;
  #isTroubled = false;

  constructor(options: CommitterOptions) {
    this.#options = options;
  }

  /** Resolves to the task's row once the draft is saved. Rejects with `CommitRefused` only. */
  submit(draft: CommitDraft): Promise<TaskRow> {
    if (this.#refused) return Promise.reject(this.#refused);
    return new Promise<TaskRow>((resolve, reject) => {
      this.#queue.push({ draft, resolve, reject });
      this.#writing ??= this.#write();
    });
  }

  /** True while storage refuses: hand out no more work. */
  get isTroubled(): boolean {
    return this.#isTroubled;
  }

  /** Resolves when everything submitted so far is saved or refused. */
  async drained(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  async #write(): Promise<void> {
    // One turn of the event loop lets outcomes that are ready together share a transaction.
    await Promise.resolve();
    while (this.#queue.length > 0) {
      const batch = this.#queue;
      this.#queue = [];
      const written = await this.#writeBatch(batch);
      if (written instanceof CommitRefused) {
        this.#refused = written;
        for (const { reject } of [...batch, ...this.#queue]) reject(written);
        this.#queue = [];
      } else {
        for (const { resolve } of batch) resolve(written);
      }
    }
    // In the same turn as the last look at the queue: nothing can slip in between.
    this.#writing = null;
  }

  async #writeBatch(batch: readonly Pending[]): Promise<TaskRow | CommitRefused> {
    const { store, clock, taskId, epoch, takeActiveMs } = this.#options;
    const merged = mergeDrafts(batch.map(({ draft }) => draft));
    const activeMs = takeActiveMs();
    for (;;) {
      const task = this.#isTroubled ? { ...GOES_ON, ...merged.task } : merged.task;
      const written = await store.commit({ ...merged, task, activeMs, taskId, epoch, atMs: clock.now() });
      if (!written.ok && written.failure.verdict !== 'wait') return new CommitRefused(written.failure);
      if (!this.#isTroubled && !written.ok) await this.#say(written.failure);
      this.#isTroubled = !written.ok;
      if (written.ok) return written.value;
      await clock.sleep(TROUBLE_RETRY_MS);
    }
  }

  /** A small write often still fits when a big one does not: let the person see why nothing moves. */
  async #say(trouble: Failure): Promise<void> {
    const { store, clock, taskId, epoch } = this.#options;
    const task = { status: 'paused', reason: 'storage', failure: trouble } as const;
    await store.commit({ ...mergeDrafts([{ task }]), taskId, epoch, atMs: clock.now() });
  }
}
