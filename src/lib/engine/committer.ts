import type { NewActivity } from '../core/activity';
import { mergeDrafts, type CommitBody, type CommitDraft } from '../core/commit';
import { failure, type Failure } from '../core/failure';
import type { FaultPlan } from '../core/fault-points';
import type { CheckpointStore, Clock } from '../core/ports';
import { ok, type Result } from '../core/result';
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
  readonly reject: (error: unknown) => void;
}

interface CommitterOptions {
  readonly store: CheckpointStore;
  readonly clock: Clock;
  readonly faults: FaultPlan;
  /** The task's row as it was taken over. */
  readonly task: TaskRow;
  /** Running time since it was last asked, in milliseconds. */
  readonly takeActiveMs: () => number;
}

const TROUBLE_RETRY_MS = 2_000;
/** Freed at once when storage is full: enough for a while, and not all of what may be wanted again. */
const ROOM_BYTES = 16_000_000;
const GOES_ON = { status: 'running', reason: null, failure: null } as const;

/**
 * Every change of an owned task goes through here. Drafts that become ready while a transaction is on its way go
 * together in the next one, in order. Nothing is dropped: while storage refuses, drafts wait.
 */
export class Committer {
  readonly #options: CommitterOptions;
  readonly #abandoned = new AbortController();
  #queue: Pending[] = [];
  #writing: Promise<void> | null = null;
  #refused: CommitRefused | null = null;
  #defect: Error | null = null;
  #row: TaskRow;
  #isTroubled = false;
  /** The row says "paused, storage" because of us. */
  #isSaid = false;

  constructor(options: CommitterOptions) {
    this.#options = options;
    this.#row = options.task;
  }

  /**
   * Resolves to the task's row once the draft is saved. Rejects with `CommitRefused`, or with what a defect of the store
   * threw. After a defect, drafts with steps are rejected too: they build on what was lost.
   */
  submit(draft: CommitDraft): Promise<TaskRow> {
    if (this.#refused) return Promise.reject(this.#refused);
    if (this.#defect && draft.steps) return Promise.reject(this.#defect);
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

  /** Saves nothing more, and waits for no storage: the task is about to be deleted. */
  abandon(): void {
    this.#refused ??= new CommitRefused(failure('task_missing'));
    this.#abandoned.abort();
  }

  async #write(): Promise<void> {
    // One turn of the event loop lets outcomes that are ready together share a transaction.
    await Promise.resolve();
    while (this.#queue.length > 0) {
      const batch = this.#queue;
      this.#queue = [];
      try {
        const row = await this.#writeBatch(batch);
        for (const { resolve } of batch) resolve(row);
      } catch (error) {
        if (error instanceof CommitRefused) this.#refused = error;
        else this.#defect = error instanceof Error ? error : new Error(String(error));
        for (const { reject } of [...batch, ...this.#queue]) reject(error);
        this.#queue = [];
      }
    }
    // In the same turn as the last look at the queue: nothing can slip in between.
    this.#writing = null;
  }

  async #writeBatch(batch: readonly Pending[]): Promise<TaskRow> {
    const { faults } = this.#options;
    const { id: taskId } = this.#row;
    const merged = mergeDrafts(batch.map(({ draft }) => draft));
    let body: CommitBody = { ...merged, activeMs: this.#options.takeActiveMs() };
    for (let hasFreed = false; ;) {
      await faults.reach('before-commit', taskId);
      const written = await this.#try(this.#isSaid ? { ...body, task: { ...GOES_ON, ...body.task } } : body);
      if (written.ok) {
        await faults.reach('after-commit', taskId);
        this.#isSaid = false;
        return written.value;
      }
      const freed: NewActivity | null =
        written.failure.code === 'storage_full' && !hasFreed ? await this.#makeRoom() : null;
      hasFreed = freed !== null;
      if (freed) {
        body = { ...body, activity: [...body.activity, freed] };
        continue;
      }
      await this.#say(written.failure);
      await this.#pause();
    }
  }

  /** One try to save. A failure here is one that waiting mends, and nothing was saved. */
  async #try(body: CommitBody): Promise<Result<TaskRow>> {
    if (this.#refused) throw this.#refused;
    const { store, clock } = this.#options;
    const { id: taskId, epoch } = this.#row;
    const tried = await store.commit({ ...body, taskId, epoch, atMs: clock.now() });
    this.#isTroubled = !tried.ok;
    if (!tried.ok && tried.failure.verdict !== 'wait') throw new CommitRefused(tried.failure);
    const saved = tried.ok ? tried.value : await this.#savedAfterAll();
    if (saved === null) return tried;
    this.#isTroubled = false;
    this.#row = saved;
    return ok(saved);
  }

  /** Storage that went away may have saved what it never answered: the row tells, and nothing is saved again before it did. */
  async #savedAfterAll(): Promise<TaskRow | null> {
    const { id, epoch, seq } = this.#row;
    for (;;) {
      const found = await this.#options.store.task(id);
      if (found.ok && found.value === null) throw new CommitRefused(failure('task_missing', { details: { task: id } }));
      if (found.ok) return found.value?.epoch === epoch && found.value.seq > seq ? found.value : null;
      if (found.failure.verdict !== 'wait') throw new CommitRefused(found.failure);
      await this.#pause();
      if (this.#refused) throw this.#refused;
    }
  }

  /** Answers that no task uses go before any work waits; null when there are none. */
  async #makeRoom(): Promise<NewActivity | null> {
    const { store, clock } = this.#options;
    const freed = await store.freeUnused(ROOM_BYTES, clock.now());
    if (!freed.ok || freed.value.results === 0) return null;
    const { results, bytes } = freed.value;
    const details = { results, megabytes: Math.max(1, Math.round(bytes / 1_000_000)) };
    return { what: 'room_made', details, failure: null };
  }

  async #pause(): Promise<void> {
    await this.#options.clock.sleep(TROUBLE_RETRY_MS, this.#abandoned.signal).catch(() => undefined);
  }

  /** A small write often still fits when a big one does not: let the person see why nothing moves. */
  async #say(trouble: Failure): Promise<void> {
    if (this.#isSaid || this.#row.status !== 'running') return;
    const task = { status: 'paused', reason: 'storage', failure: trouble } as const;
    this.#isSaid = (await this.#try(mergeDrafts([{ task }]))).ok;
    this.#isTroubled = true;
  }
}
