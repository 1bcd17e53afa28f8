import type { CheckpointRow } from '../core/checkpoint';
import { mergeDrafts, type Commit } from '../core/commit';
import type { EffectRow, EffectState } from '../core/effect';
import type { ActivityRow } from '../core/activity';
import type { FolderRow } from '../core/folder';
import type { EffectKey, FolderId, ResultKey, StepKey, TaskId } from '../core/ids';
import type { LeaseRow } from '../core/lease';
import type { PartialRow } from '../core/partial';
import type { CheckpointStore, Clock, Freed, Locks, Removal } from '../core/ports';
import { failure, type Failure } from '../core/failure';
import { fail, isAbort, ok, type Result } from '../core/result';
import type { ResultRow } from '../core/results';
import type { StepRow, StepStatus, StepType } from '../core/step';
import type { TaskRow } from '../core/task';
import { isFinished } from '../core/task';
import type { Copies } from './copies';
import { taskExists, type WholeTask } from './import-task';
import { readChain, seqReached } from './journal/chain';
import type { JournalFiles } from './journal/journal-files';
import type { LeftJournals } from './journal/left-journals';
import { guarded } from './journal/guarded';
import { putInOrder } from './journal/put-in-order';
import { redoMissing } from './journal/rebuild';
import type { RestorableStore } from './journal/restorable-store';
import { TaskJournal } from './journal/task-journal';
import { onceInOrder, untilDone } from './until-done';

interface JournaledOptions {
  readonly store: RestorableStore;
  readonly files: JournalFiles;
  /** Where the folders' handles are kept a second time. */
  readonly copies: Pick<Copies, 'inOrder' | 'refill'>;
  /** Where it is told which journals no task could be built from. */
  readonly left: LeftJournals;
  readonly locks: Locks;
  readonly clock: Clock;
}

/** One tab at a time puts things in order. */
const ORDER = 'journal';
const ORDER_LIMIT_MS = 10_000;

/**
 * A store with a journal in front of it: a commit is written to the journal, then to the store, and counts once both have
 * it. What the store has lost by the next start (Chromium can drop a site's whole database after a hard kill) is put back
 * before anything is read.
 */
export class JournaledCheckpointStore implements CheckpointStore {
  /** Puts back what is lost, once; every other method does that first. Fails as the store does, and is then tried again. */
  readonly inOrder = untilDone(() => guarded(() => this.#putInOrder()));
  readonly #options: JournaledOptions;
  readonly #journals = new Map<TaskId, TaskJournal>();
  readonly #leftFolders: FolderRow[] = [];
  #isOff = false;
  #isRoomWanted = false;

  constructor(options: JournaledOptions) {
    this.#options = options;
  }

  createTask(task: TaskRow, folder: FolderRow): Promise<Result<void>> {
    return this.#whenInOrder(async (store) => {
      const created = await store.createTask(task, folder);
      if (created.ok) await this.#options.copies.refill();
      if (this.#isOff) return created;
      // Without its first file the task is whole all the same: its owner begins with a base.
      if (created.ok) await guarded(async () => ok(await TaskJournal.create(this.#options.files, task, folder)));
      return created;
    });
  }

  /** Puts a task that came from a file. Failure: `import_task_exists`, also when only a journal of it is left. */
  importTask(whole: WholeTask): Promise<Result<void>> {
    return this.#whenInOrder(async (store) => {
      const { task, folder } = whole;
      const { files } = this.#options;
      if (!this.#isOff && (await files.list(task.id)).length > 0) return fail(taskExists(whole));
      const added = await store.addTask(whole);
      if (!added.ok || this.#isOff) return added;
      // Without it the task is whole all the same, until the browser should lose the database.
      await guarded(async () => {
        (await TaskJournal.begin(files, store, task, { folder, isBaseNeeded: true })).close();
        return ok();
      });
      return added;
    });
  }

  own(id: TaskId, atMs: number): Promise<Result<TaskRow>> {
    return this.#whenInOrder(async (store) => {
      if (this.#isOff) return store.own(id, atMs);
      const isBehind = await this.#redo(id);
      if (!isBehind.ok) return isBehind;
      await this.release(id);
      const owned = await store.own(id, atMs);
      if (!owned.ok) return owned;
      // Whoever was about to delete it is fenced by the new epoch, but may never live to take its note back.
      await this.#options.files.unbury(id);
      const folder = await store.folder(owned.value.folderId);
      const options = { folder: folder.ok ? folder.value : null, isBaseNeeded: isBehind.value };
      const begun = await guarded(async () =>
        ok(await TaskJournal.begin(this.#options.files, store, owned.value, options)),
      );
      if (!begun.ok) {
        await this.#sayWhyNot(owned.value, begun.failure);
        return begun;
      }
      this.#journals.set(id, begun.value);
      return owned;
    });
  }

  commit(commit: Commit): Promise<Result<TaskRow>> {
    let isSecond = false;
    return this.#whenInOrder(async (store) => {
      const journal = this.#journals.get(commit.taskId);
      // Another epoch's commit is refused by the store, and leaves no trace in this epoch's file.
      if (journal?.epoch !== commit.epoch) return store.commit(commit);
      const wasPutBack = isSecond;
      isSecond = true;
      return journal.inTurn(() => this.#commit(journal, commit, wasPutBack));
    });
  }

  async #commit(journal: TaskJournal, commit: Commit, wasPutBack: boolean): Promise<Result<TaskRow>> {
    const { store } = this.#options;
    if (wasPutBack) {
      const found = await store.task(commit.taskId);
      // Another tab has put the task back, with this commit's line, before we took that back.
      if (found.ok && found.value?.epoch === commit.epoch && journal.isAhead(found.value)) return ok(found.value);
    }
    if (journal.isBehind) {
      const caughtUp = await guarded(() => this.#catchUp(journal, commit.taskId));
      if (!caughtUp.ok) return isWordOfTrouble(commit) ? store.commit(commit) : caughtUp;
    }
    const write = () => guarded(() => journal.around(commit, () => store.commit(commit)));
    let saved = await write();
    if (!saved.ok && journal.isRefused && journal.isBehind) {
      // The file has gone bad, or was deleted under us: once more, with another one.
      const renewed = await guarded(() => this.#catchUp(journal, commit.taskId));
      if (renewed.ok) saved = await write();
    }
    if (!saved.ok && journal.isRefused && isWordOfTrouble(commit))
      return journal.without(commit, () => store.commit(commit));
    if (saved.ok && (journal.isBehind || journal.isWorthCompacting)) await this.#compact(journal, saved.value);
    return saved;
  }

  async release(id: TaskId): Promise<void> {
    const journal = this.#journals.get(id);
    if (!journal) return;
    this.#journals.delete(id);
    try {
      const task = await this.#options.store.task(id);
      if (task.ok && task.value && isFinished(task.value.status) && journal.isHalfDead)
        await this.#compact(journal, task.value);
    } finally {
      journal.close();
    }
  }

  removeTask(id: TaskId, epoch?: number): Promise<Result<Removal>> {
    return this.#whenInOrder(async (store) => {
      if (this.#isOff) return store.removeTask(id, epoch);
      const found = await store.task(id);
      if (epoch !== undefined && found.ok && found.value && found.value.epoch !== epoch) return fail(failure('fenced'));
      await this.release(id);
      // First of all: a task that is gone from the store and has a journal that nobody buried would be brought back.
      await this.#buryOrForget(id);
      const removed = await store.removeTask(id, epoch);
      if (!removed.ok) {
        if (removed.failure.code === 'fenced') await this.#options.files.unbury(id);
        return removed;
      }
      await this.#options.files.removeAll(id);
      await this.#options.left.forget(id);
      await this.#options.copies.refill();
      return removed;
    });
  }

  task(id: TaskId): Promise<Result<TaskRow | null>> {
    return this.#whenInOrder((store) => store.task(id));
  }

  tasks(): Promise<Result<readonly TaskRow[]>> {
    // Asked at the start, on coming back and in every sweep: there may be room by now.
    if (this.#isRoomWanted) this.inOrder.forget();
    return this.#whenInOrder((store) => store.tasks());
  }

  step(id: TaskId, key: StepKey): Promise<Result<StepRow | null>> {
    return this.#whenInOrder((store) => store.step(id, key));
  }

  steps(id: TaskId, keys: readonly StepKey[]): Promise<Result<readonly (StepRow | null)[]>> {
    return this.#whenInOrder((store) => store.steps(id, keys));
  }

  stepsByStatus(id: TaskId, status: StepStatus, limit: number): Promise<Result<readonly StepRow[]>> {
    return this.#whenInOrder((store) => store.stepsByStatus(id, status, limit));
  }

  stepsOfType(id: TaskId, type: StepType, after: StepKey | null, limit: number): Promise<Result<readonly StepRow[]>> {
    return this.#whenInOrder((store) => store.stepsOfType(id, type, after, limit));
  }

  stepsSince(id: TaskId, seq: number, limit: number): Promise<Result<readonly StepRow[]>> {
    return this.#whenInOrder((store) => store.stepsSince(id, seq, limit));
  }

  result(key: ResultKey): Promise<Result<ResultRow | null>> {
    return this.#whenInOrder((store) => store.result(key));
  }

  results(keys: readonly ResultKey[]): Promise<Result<readonly (ResultRow | null)[]>> {
    return this.#whenInOrder((store) => store.results(keys));
  }

  activity(id: TaskId, limit: number): Promise<Result<readonly ActivityRow[]>> {
    return this.#whenInOrder((store) => store.activity(id, limit));
  }

  beat(id: TaskId, epoch: number): Promise<Result<void>> {
    return this.#whenInOrder(async (store) => {
      await this.#journals.get(id)?.lookWhetherThere();
      return store.beat(id, epoch);
    });
  }

  lease(id: TaskId): Promise<Result<LeaseRow | null>> {
    return this.#whenInOrder((store) => store.lease(id));
  }

  effect(id: TaskId, key: EffectKey): Promise<Result<EffectRow | null>> {
    return this.#whenInOrder((store) => store.effect(id, key));
  }

  effectsInState(id: TaskId, state: EffectState, limit: number): Promise<Result<readonly EffectRow[]>> {
    return this.#whenInOrder((store) => store.effectsInState(id, state, limit));
  }

  putPartials(id: TaskId, epoch: number, partials: readonly PartialRow[]): Promise<Result<void>> {
    return this.#whenInOrder((store) => store.putPartials(id, epoch, partials));
  }

  partial(id: TaskId, request: ResultKey): Promise<Result<PartialRow | null>> {
    return this.#whenInOrder((store) => store.partial(id, request));
  }

  partials(id: TaskId): Promise<Result<readonly PartialRow[]>> {
    return this.#whenInOrder((store) => store.partials(id));
  }

  checkpoints(id: TaskId, before: number | null, limit: number): Promise<Result<readonly CheckpointRow[]>> {
    return this.#whenInOrder((store) => store.checkpoints(id, before, limit));
  }

  folder(id: FolderId): Promise<Result<FolderRow | null>> {
    return this.#whenInOrder((store) => store.folder(id));
  }

  putFolder(folder: FolderRow): Promise<Result<void>> {
    return this.#whenInOrder(async (store) => {
      const put = await store.putFolder(folder);
      if (put.ok) await this.#options.copies.refill();
      return put;
    });
  }

  freeUnused(wantedBytes: number, nowMs: number): Promise<Result<Freed>> {
    return this.#whenInOrder((store) => store.freeUnused(wantedBytes, nowMs));
  }

  tidy(resultsBeforeMs: number): Promise<Result<Removal>> {
    return this.#whenInOrder(async (store) => {
      const tidied = await store.tidy(resultsBeforeMs);
      if (!tidied.ok) return tidied;
      return ok({ removedFolders: [...tidied.value.removedFolders, ...this.#leftFolders.splice(0)] });
    });
  }

  #whenInOrder<T>(work: (store: RestorableStore) => Promise<Result<T>>): Promise<Result<T>> {
    return onceInOrder(this.inOrder, () => guarded(() => work(this.#options.store)));
  }

  /** A tab that was frozen in the middle of this would hold the lock for ever: it is not waited for longer than that. */
  async #putInOrder(): Promise<Result<void>> {
    const { locks, clock } = this.#options;
    const patience = new AbortController();
    void clock.sleep(ORDER_LIMIT_MS, patience.signal).then(
      () => patience.abort(),
      () => undefined,
    );
    try {
      return await locks.hold(ORDER, patience.signal, () => this.#putAllInOrder());
    } catch (error) {
      if (!isAbort(error)) throw error;
      return await this.#putAllInOrder();
    } finally {
      patience.abort();
    }
  }

  async #putAllInOrder(): Promise<Result<void>> {
    const put = await putInOrder(this.#options);
    if (!put.ok) return put;
    this.#isOff = put.value.isOff;
    this.#isRoomWanted = put.value.isRoomWanted;
    this.#leftFolders.push(...put.value.leftFolders);
    return ok();
  }

  /** Carries out what a killed owner had written ahead. True when the journal lacks something that the store has. */
  async #redo(id: TaskId): Promise<Result<boolean>> {
    const { store, files } = this.#options;
    const task = await store.task(id);
    if (!task.ok) return task;
    if (task.value === null || (await seqReached(files, id)) === task.value.seq) return ok(false);
    const chain = await readChain(files, id);
    if (chain === null) return ok(true);
    const isWhole = await redoMissing(files, store, id, chain);
    return isWhole.ok ? ok(!isWhole.value) : isWhole;
  }

  /** On a full disk there is no room even for the note: then the journal goes first, and the task is whole without it. */
  async #buryOrForget(id: TaskId): Promise<void> {
    const { files } = this.#options;
    try {
      await files.bury(id);
    } catch (error) {
      if (!(await files.removeAll(id))) throw error;
    }
  }

  /** Nothing more is committed that only the store would have. */
  async #catchUp(journal: TaskJournal, id: TaskId): Promise<Result<void>> {
    const { store } = this.#options;
    const task = await store.task(id);
    if (!task.ok) return task;
    if (task.value === null) return ok();
    const folder = await store.folder(task.value.folderId);
    await journal.compact(task.value, folder.ok ? folder.value : null);
    return ok();
  }

  /** Without a line in the journal, which is refused room: its owner begins with a base when there is. */
  async #sayWhyNot(task: TaskRow, why: Failure): Promise<void> {
    if (task.status !== 'running' && task.status !== 'pending') return;
    const { store, clock } = this.#options;
    const patch = { status: 'paused', reason: 'storage', failure: why } as const;
    await store.commit({
      ...mergeDrafts([{ task: patch }]),
      activeMs: 0,
      taskId: task.id,
      epoch: task.epoch,
      atMs: clock.now(),
    });
  }

  async #compact(journal: TaskJournal, task: TaskRow): Promise<void> {
    const folder = await this.#options.store.folder(task.folderId);
    // A journal that could not be made smaller is still whole.
    await guarded(async () => ok(await journal.compact(task, folder.ok ? folder.value : null)));
  }
}

/** Says that storage refuses. It may be lost without harm, so it need not wait for a journal that is refused room. */
function isWordOfTrouble({ task, steps, results }: Commit): boolean {
  return task.status === 'paused' && task.reason === 'storage' && steps.length === 0 && results.length === 0;
}
