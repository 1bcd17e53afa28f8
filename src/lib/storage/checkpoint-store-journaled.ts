import { mergeDrafts, type Commit } from '../core/commit';
import type { FolderRow } from '../core/folder';
import type { TaskId } from '../core/ids';
import type { CheckpointStore, Clock, Locks, Removal } from '../core/ports';
import { failure, type Failure } from '../core/failure';
import { fail, ok, type Result } from '../core/result';
import type { TaskRow } from '../core/task';
import { isFinished } from '../core/task';
import { OrderedCheckpointStore } from './checkpoint-store-ordered';
import type { Copies } from './copies';
import { taskExists, type WholeTask } from './import-task';
import { removeJournaled } from './journal/burial';
import type { JournalFiles } from './journal/journal-files';
import type { LeftJournals } from './journal/left-journals';
import { guarded } from './journal/guarded';
import { insure } from './journal/insurance';
import { inOneTab } from './journal/order-lock';
import { takeOver } from './journal/ownership';
import { putInOrder } from './journal/put-in-order';
import type { RestorableStore } from './journal/restorable-store';
import { TaskJournal } from './journal/task-journal';
import { onceInOrder, untilDone } from './until-done';

interface JournaledOptions {
  readonly store: RestorableStore;
  readonly files: JournalFiles;
  /** Where the folders' handles are kept a second time. */
  readonly copies: Pick<Copies, 'inOrder' | 'refill' | 'isMissed'>;
  /** Where it is told which journals no task could be built from. */
  readonly left: LeftJournals;
  readonly locks: Locks;
  readonly clock: Clock;
}

/**
 * A store with a journal in front of it: a commit is written to the journal, then to the store, and counts once both have
 * it. What the store has lost by the next start (Chromium can drop a site's whole database after a hard kill) is put back
 * before anything is read.
 */
export class JournaledCheckpointStore extends OrderedCheckpointStore implements CheckpointStore {
  /** Puts back what is lost, once; every other method does that first. Fails as the store does, and is then tried again. */
  readonly inOrder = untilDone(() => guarded(() => inOneTab(this.#options, () => this.#putAllInOrder())));
  readonly #options: JournaledOptions;
  readonly #journals = new Map<TaskId, TaskJournal>();
  readonly #leftFolders: FolderRow[] = [];
  #isOff = false;
  #isRoomWanted = false;
  #isEverythingBack = false;

  constructor(options: JournaledOptions) {
    super();
    this.#options = options;
  }

  createTask(task: TaskRow, folder: FolderRow): Promise<Result<void>> {
    return this.whenInOrder(async (store) => {
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
    return this.whenInOrder(async (store) => {
      const { id } = whole.task;
      const { files } = this.#options;
      if (!this.#isOff && (await files.list(id)).length > 0) return fail(taskExists(whole));
      const added = await store.addTask(whole);
      if (!added.ok || this.#isOff) return added;
      // A deletion that was cut off meant a task that is not there any more.
      await guarded(async () => ok(await files.unbury(id)));
      // Without it the task is whole all the same, until the browser should lose the database.
      await insure(this.#options, whole.task);
      return added;
    });
  }

  own(id: TaskId, atMs: number): Promise<Result<TaskRow>> {
    return this.whenInOrder(async (store) => {
      if (this.#isOff) return store.own(id, atMs);
      await this.release(id);
      const owned = await takeOver(this.#options, id, atMs);
      if (!owned.ok) return owned;
      const { task, journal } = owned.value;
      if (!journal.ok) {
        await this.#sayWhyNot(task, journal.failure);
        return journal;
      }
      this.#journals.set(id, journal.value);
      return ok(task);
    });
  }

  commit(commit: Commit): Promise<Result<TaskRow>> {
    let isSecond = false;
    return this.whenInOrder(async (store) => {
      const journal = this.#journals.get(commit.taskId);
      // Another epoch's commit is refused by the store, and leaves no trace in this epoch's file.
      if (journal?.epoch !== commit.epoch) return store.commit(commit);
      const isAgain = isSecond;
      isSecond = true;
      return journal.inTurn(() => this.#commit(journal, commit, isAgain));
    });
  }

  async #commit(journal: TaskJournal, commit: Commit, isSecond: boolean): Promise<Result<TaskRow>> {
    const { store } = this.#options;
    if (isSecond || journal.isUnanswered) {
      const found = await store.task(commit.taskId);
      if (!found.ok) return found;
      const wasSaved = journal.settle(found.value);
      // Storage has it from the first try, or from a tab that has put the task back with this commit's line.
      if (isSecond && wasSaved && found.value !== null) return ok(found.value);
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
    await this.#options.store.release(id);
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
    return this.whenInOrder(async (store) => {
      if (this.#isOff) return store.removeTask(id, epoch);
      const found = await store.task(id);
      if (epoch !== undefined && found.ok && found.value && found.value.epoch !== epoch) return fail(failure('fenced'));
      await this.release(id);
      const removed = await removeJournaled(this.#options, id, epoch);
      if (!removed.ok) return removed;
      await this.#options.left.forget(id);
      await this.#options.copies.refill();
      return removed;
    });
  }

  tasks(): Promise<Result<readonly TaskRow[]>> {
    // Asked at the start, on coming back and in every sweep: there may be room by now.
    if (this.#isRoomWanted) this.inOrder.forget();
    return this.whenInOrder((store) => store.tasks());
  }

  beat(id: TaskId, epoch: number): Promise<Result<void>> {
    return this.whenInOrder(async (store) => {
      await this.#journals.get(id)?.lookWhetherThere();
      return store.beat(id, epoch);
    });
  }

  putFolder(folder: FolderRow): Promise<Result<void>> {
    return this.whenInOrder(async (store) => {
      const put = await store.putFolder(folder);
      if (put.ok) await this.#options.copies.refill();
      return put;
    });
  }

  tidy(resultsBeforeMs: number): Promise<Result<Removal>> {
    return this.whenInOrder(async (store) => {
      const tidied = await store.tidy(resultsBeforeMs);
      if (!tidied.ok) return tidied;
      return ok({ removedFolders: [...tidied.value.removedFolders, ...this.#leftFolders.splice(0)] });
    });
  }

  /** Whether every folder that any task needs has its row: nothing waits to be put back. */
  async areFoldersKnown(): Promise<boolean> {
    const ordered = await this.inOrder();
    return ordered.ok && this.#isEverythingBack && !this.#options.copies.isMissed;
  }

  protected whenInOrder<T>(work: (store: RestorableStore) => Promise<Result<T>>): Promise<Result<T>> {
    return onceInOrder(this.inOrder, () => guarded(() => work(this.#options.store)));
  }

  async #putAllInOrder(): Promise<Result<void>> {
    const put = await putInOrder(this.#options);
    if (!put.ok) return put;
    this.#isOff = put.value.isOff;
    this.#isRoomWanted = put.value.isRoomWanted;
    this.#isEverythingBack = !put.value.isOff && put.value.leftTasks === 0;
    this.#leftFolders.push(...put.value.leftFolders);
    return ok();
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
