import type { Commit } from '../../core/commit';
import type { FolderRow } from '../../core/folder';
import type { TaskId } from '../../core/ids';
import type { CheckpointStore } from '../../core/ports';
import type { Result } from '../../core/result';
import type { TaskRow } from '../../core/task';
import { storageFailure } from '../storage-failure';
import type { JournaledCommit } from './chain';
import { headOf, writeBase } from './journal-base';
import { journalName, type JournalFiles, type JournalWriter } from './journal-files';
import { encodeLine, type Entry } from './lines';
import { closeQuietly, discardFile, type ReservedFile } from './reserved-file';

/** Below this nobody gains from a rewrite. */
const MIN_COMPACT_BYTES = 1_000_000;
/** Every ownership adds a file. More than these are not worth looking through at the next. */
const MANY_FILES = 32;

/** A commit that storage may have saved: it gave no answer. */
interface Unanswered extends JournaledCommit {
  /** What the file held before its line; null when it has none. */
  readonly sizeBytes: number | null;
}

/** One owner's hand on a task's journal: the file it writes, and how much of the journal is dead. */
export class TaskJournal {
  readonly #files: JournalFiles;
  readonly #store: CheckpointStore;
  readonly epoch: number;
  readonly #id: TaskId;
  #nth: number;
  #writer: JournalWriter;
  #seq: number;
  #otherBytes: number;
  #deadBytes = 0;
  #otherFiles: number;
  #isBehind = false;
  #isRefused = false;
  /** Saved, and not written yet. */
  readonly #owed: JournaledCommit[] = [];
  #unanswered: Unanswered | null = null;
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(files: JournalFiles, store: CheckpointStore, task: TaskRow, file: ReservedFile) {
    this.#files = files;
    this.#store = store;
    this.#id = task.id;
    this.epoch = task.epoch;
    this.#seq = task.seq;
    this.#nth = file.nth;
    this.#writer = file.writer;
    this.#otherFiles = file.otherFiles;
    this.#otherBytes = file.otherBytes;
  }

  /** Begins the file that was reserved for the epoch which `task` was taken over with. Throws what the browser throws. */
  static async begin(
    files: JournalFiles,
    store: CheckpointStore,
    task: TaskRow,
    options: { readonly folder: FolderRow | null; readonly isBaseNeeded: boolean; readonly file: ReservedFile },
  ): Promise<TaskJournal> {
    const { file, folder, isBaseNeeded } = options;
    const journal = new TaskJournal(files, store, task, file);
    try {
      if (isBaseNeeded) await writeBase(journal.#append, store, task, folder);
      else journal.#append(headOf(task, folder, false), task.seq);
      file.writer.flush();
    } catch (error) {
      await discardFile(files, task.id, file);
      throw error;
    }
    // Files that do not go cost room and nothing else.
    if (isBaseNeeded) await journal.#forgetOthers().catch(() => undefined);
    return journal;
  }

  /** Writes the first file of a new task. */
  static async create(files: JournalFiles, task: TaskRow, folder: FolderRow): Promise<void> {
    const writer = await files.create(task.id, journalName(task.epoch, 0));
    try {
      writer.append(encodeLine({ entry: headOf(task, folder, true), seq: 0 }));
      writer.append(encodeLine({ entry: { what: 'base_end' }, seq: task.seq }));
      writer.flush();
    } finally {
      writer.close();
    }
  }

  /** One thing at a time: a line's number is known once the one before it is saved. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work, work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  /**
   * Writes the commit ahead of `save`, and takes it back when that is refused: the journal never says more than the store
   * was asked to keep. Where storage may have saved it and could not answer, the line stays until `settle`.
   */
  async around(commit: Commit, save: () => Promise<Result<TaskRow>>): Promise<Result<TaskRow>> {
    const before = this.#writer.sizeBytes;
    const seq = this.#seq + 1;
    let isToStay = false;
    try {
      this.#writeAhead(commit, seq);
      const saved = await save();
      if (saved.ok) {
        this.#count(commit, saved.value.seq);
        this.#owed.length = 0;
        // The store had saved something that it said it had not: a line with the wrong number would end the journal.
        this.#isBehind ||= saved.value.seq !== seq;
        isToStay = !this.#isBehind;
      } else {
        if (saved.failure.verdict === 'wait') this.#unanswered = { commit, seq, sizeBytes: before };
        // The owner who fenced us may have carried the line out, or reads no further than the seq that it began with.
        isToStay = this.#unanswered !== null || saved.failure.code === 'fenced';
      }
      return saved;
    } finally {
      if (!isToStay) this.#takeBack(before);
    }
  }

  /**
   * Saves a commit that the journal is refused room for. Its line is written with the next one; should that never come,
   * the next owner finds the store ahead and begins with a base.
   */
  async without(commit: Commit, save: () => Promise<Result<TaskRow>>): Promise<Result<TaskRow>> {
    const seq = this.#seq + 1;
    const saved = await save();
    if (!saved.ok) {
      if (saved.failure.verdict === 'wait') this.#unanswered = { commit, seq, sizeBytes: null };
      return saved;
    }
    this.#isBehind ||= saved.value.seq !== seq;
    this.#seq = saved.value.seq;
    this.#owed.push({ commit, seq: saved.value.seq });
    return saved;
  }

  /** The store gave no answer to the last commit: nothing more may be written before `settle`. */
  get isUnanswered(): boolean {
    return this.#unanswered !== null;
  }

  /** Told by the store's row what became of the last commit: its line stays or goes. True when it was saved. */
  settle(row: TaskRow | null): boolean {
    const left = this.#unanswered;
    this.#unanswered = null;
    // The next owner may have carried the line out.
    if (row !== null && row.epoch !== this.epoch) return false;
    if (row === null || row.seq <= this.#seq) {
      if (left !== null && left.sizeBytes !== null) this.#takeBack(left.sizeBytes);
      return false;
    }
    if (left === null || row.seq !== left.seq) {
      this.#isBehind = true;
      return true;
    }
    if (left.sizeBytes === null) this.#owed.push(left);
    else this.#owed.length = 0;
    this.#count(left.commit, row.seq);
    return true;
  }

  #count(commit: Commit, seq: number): void {
    this.#seq = seq;
    this.#deadBytes += deadBytesOf(commit);
  }

  /** Nothing could be written at the last try, for want of room or because the file has gone bad. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  #writeAhead(commit: Commit, seq: number): void {
    this.#isRefused = true;
    try {
      for (const owed of this.#owed) this.#append({ what: 'commit', commit: owed.commit }, owed.seq);
      this.#append({ what: 'commit', commit }, seq);
      if (commit.durability === 'strict') this.#writer.flush();
    } catch (error) {
      // A file that is refused room is still good; any other trouble is one that this file will not get over.
      if (storageFailure(error, 'use')?.code !== 'storage_full') this.#isBehind = true;
      throw error;
    }
    this.#isRefused = false;
  }

  /** A line that cannot be taken back says more than the store has: then only another file does not. */
  #takeBack(sizeBytes: number): void {
    try {
      this.#writer.cutTo(sizeBytes);
    } catch {
      this.#isBehind = true;
    }
  }

  /** A file that somebody has deleted under us takes what is written to it, and keeps none of it. */
  async lookWhetherThere(): Promise<void> {
    const names = await this.#files.list(this.#id).catch(() => null);
    if (names?.includes(journalName(this.epoch, this.#nth)) === false) this.#isBehind = true;
  }

  /** The store has a commit that the journal lacks: only a rewrite makes it whole. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** More than half of it is said again further on. */
  get isHalfDead(): boolean {
    return this.#deadBytes * 2 > this.#otherBytes + this.#writer.sizeBytes;
  }

  /** In too many files, or half dead and large enough to be worth it in mid run. */
  get isWorthCompacting(): boolean {
    return this.#otherFiles >= MANY_FILES || (this.#deadBytes > MIN_COMPACT_BYTES && this.isHalfDead);
  }

  /** Says the same in fewer bytes: all rows as they are now, in a new file, then the old ones go. */
  async compact(task: TaskRow, folder: FolderRow | null): Promise<void> {
    if (task.epoch !== this.epoch) return;
    const before = this.#writer;
    const writer = await this.#files.create(this.#id, journalName(this.epoch, this.#nth + 1));
    this.#writer = writer;
    try {
      await writeBase(this.#append, this.#store, task, folder);
      writer.flush();
    } catch (error) {
      this.#writer = before;
      writer.close();
      // Not at every commit again, each at the cost of the whole task: only once as much has died anew.
      this.#deadBytes = 0;
      this.#otherFiles = 0;
      await this.#files.remove(this.#id, journalName(this.epoch, this.#nth + 1)).catch(() => undefined);
      throw error;
    }
    closeQuietly(before);
    this.#nth += 1;
    this.#seq = task.seq;
    this.#isBehind = false;
    this.#isRefused = false;
    this.#owed.length = 0;
    this.#unanswered = null;
    this.#deadBytes = 0;
    await this.#forgetOthers();
  }

  close(): void {
    closeQuietly(this.#writer);
  }

  readonly #append = (entry: Entry, seq: number): void => this.#writer.append(encodeLine({ entry, seq }));

  /** Files of later owners stay: this one may be fenced and not know it. */
  async #forgetOthers(): Promise<void> {
    const mine = journalName(this.epoch, this.#nth);
    const names = await this.#files.list(this.#id);
    for (const name of names) if (name < mine) await this.#files.remove(this.#id, name);
    this.#otherBytes = 0;
    this.#otherFiles = 0;
  }
}

/** What a commit says about the task itself, which the next commit's line says again. */
const COMMIT_BYTES = 600;

/** What a commit leaves of no use: rows that it replaces, taken to be as long as their successors, and its own frame. */
function deadBytesOf({ steps }: Commit): number {
  return steps.reduce((sum, step) => sum + (step.seq > 0 ? JSON.stringify(step).length : 0), COMMIT_BYTES);
}
