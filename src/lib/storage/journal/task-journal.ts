import type { CheckpointRow } from '../../core/checkpoint';
import type { Commit } from '../../core/commit';
import { EFFECT_STATES } from '../../core/effect';
import type { FolderRow } from '../../core/folder';
import type { TaskId } from '../../core/ids';
import { FailureError } from '../../core/failure-error';
import type { Result } from '../../core/result';
import type { TaskRow } from '../../core/task';
import { storageFailure } from '../storage-failure';
import type { JournaledCommit } from './chain';
import { epochOf, journalName, type JournalFiles, type JournalWriter } from './journal-files';
import { encodeLine, type Entry } from './lines';
import type { RestorableStore } from './restorable-store';

const PAGE = 500;
/** The most that a browser takes for a number of rows. */
const ALL = 2 ** 32 - 1;
/** Below this nobody gains from a rewrite. */
const MIN_COMPACT_BYTES = 1_000_000;
/** Every ownership adds a file. More than these are not worth looking through at the next. */
const MANY_FILES = 32;

/** One owner's hand on a task's journal: the file it writes, and how much of the journal is dead. */
export class TaskJournal {
  readonly #files: JournalFiles;
  readonly #store: RestorableStore;
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
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(options: {
    files: JournalFiles;
    store: RestorableStore;
    task: TaskRow;
    nth: number;
    writer: JournalWriter;
    otherFiles: number;
    otherBytes: number;
  }) {
    this.#files = options.files;
    this.#store = options.store;
    this.#id = options.task.id;
    this.epoch = options.task.epoch;
    this.#seq = options.task.seq;
    this.#nth = options.nth;
    this.#writer = options.writer;
    this.#otherFiles = options.otherFiles;
    this.#otherBytes = options.otherBytes;
  }

  /** Begins a file for the epoch that `task` was just taken over with. Throws what the browser throws. */
  static async begin(
    files: JournalFiles,
    store: RestorableStore,
    task: TaskRow,
    options: { readonly folder: FolderRow | null; readonly isBaseNeeded: boolean },
  ): Promise<TaskJournal> {
    const names = await files.list(task.id);
    const nth = names.filter((name) => epochOf(name) === task.epoch).length;
    const sizes = await Promise.all(names.map((name) => files.sizeBytes(task.id, name)));
    const name = journalName(task.epoch, nth);
    const writer = await files.create(task.id, name);
    const otherBytes = sizes.reduce((sum, size) => sum + size, 0);
    const journal = new TaskJournal({ files, store, task, nth, writer, otherFiles: names.length, otherBytes });
    try {
      if (options.isBaseNeeded) await journal.#writeBase(task, options.folder);
      else journal.#append(headOf(task, options.folder, false), task.seq);
      writer.flush();
    } catch (error) {
      writer.close();
      // While the disk is full this is tried again and again: nothing of it may pile up.
      await files.remove(task.id, name).catch(() => undefined);
      throw error;
    }
    // Files that do not go cost room and nothing else.
    if (options.isBaseNeeded) await journal.#forgetOthers().catch(() => undefined);
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
   * Writes the commit ahead of `save`, and takes it back when that fails: the journal never says more than the store was
   * asked to keep.
   */
  async around(commit: Commit, save: () => Promise<Result<TaskRow>>): Promise<Result<TaskRow>> {
    const before = this.#writer.sizeBytes;
    const seq = this.#seq + 1;
    let isToStay = false;
    try {
      this.#writeAhead(commit, seq);
      const saved = await save();
      if (saved.ok) {
        this.#seq = saved.value.seq;
        this.#owed.length = 0;
        this.#deadBytes += deadBytesOf(commit);
        // The store had saved something that it said it had not: a line with the wrong number would end the journal.
        this.#isBehind ||= saved.value.seq !== seq;
        isToStay = !this.#isBehind;
      } else {
        // The owner who fenced us may have carried the line out, or reads no further than the seq that it began with.
        isToStay = saved.failure.code === 'fenced';
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
    const saved = await save();
    if (!saved.ok) return saved;
    this.#isBehind ||= saved.value.seq !== this.#seq + 1;
    this.#seq = saved.value.seq;
    this.#owed.push({ commit, seq: saved.value.seq });
    return saved;
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

  /** Whether the store's task is further than what was last saved through here. */
  isAhead({ seq }: TaskRow): boolean {
    if (seq > this.#seq) this.#isBehind = true;
    return seq > this.#seq;
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
      await this.#writeBase(task, folder);
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
    this.#deadBytes = 0;
    await this.#forgetOthers();
  }

  close(): void {
    closeQuietly(this.#writer);
  }

  #append(entry: Entry, seq: number): void {
    this.#writer.append(encodeLine({ entry, seq }));
  }

  /** Lines before the last carry seq 0: a base that was cut off must not look as if it reached anywhere. */
  async #writeBase(task: TaskRow, folder: FolderRow | null): Promise<void> {
    this.#append(headOf(task, folder, true), 0);
    const written = new Set<string>();
    const withResults = async (keys: readonly (string | null)[]) => {
      const fresh = [...new Set(keys)].filter((key) => key !== null && !written.has(key)) as TaskRow['report'][];
      for (const key of fresh) if (key !== null) written.add(key);
      const found = needed(await this.#store.results(fresh.filter((key) => key !== null)));
      return found.filter((row) => row !== null);
    };
    for (let seq = -1; ;) {
      const steps = needed(await this.#store.stepsSince(this.#id, seq, PAGE));
      const last = steps.at(-1);
      if (last === undefined) break;
      const results = await withResults(steps.map(({ resultKey }) => resultKey));
      this.#append({ what: 'rows', steps, results, activity: [] }, 0);
      seq = last.seq;
    }
    const results = await withResults([task.report]);
    this.#append({ what: 'rows', steps: [], results, activity: [] }, 0);
    const activity = needed(await this.#store.activity(this.#id, ALL));
    for (const page of inPages(activity)) this.#append({ what: 'rows', steps: [], results: [], activity: page }, 0);
    await this.#writePast();
    this.#append({ what: 'base_end' }, task.seq);
  }

  async #writePast(): Promise<void> {
    const nothing = { what: 'rows', steps: [], results: [], activity: [] } as const;
    for (const state of EFFECT_STATES) {
      const effects = needed(await this.#store.effectsInState(this.#id, state, ALL));
      for (const page of inPages(effects)) this.#append({ ...nothing, effects: page }, 0);
    }
    for (let before: number | null = null; ;) {
      const checkpoints: readonly CheckpointRow[] = needed(await this.#store.checkpoints(this.#id, before, PAGE));
      const oldest = checkpoints.at(-1);
      if (oldest === undefined) return;
      this.#append({ ...nothing, checkpoints }, 0);
      before = oldest.seq;
    }
  }

  /** Files of later owners stay: this one may be fenced and not know it. */
  async #forgetOthers(): Promise<void> {
    const mine = journalName(this.epoch, this.#nth);
    const names = await this.#files.list(this.#id);
    for (const name of names) if (name < mine) await this.#files.remove(this.#id, name);
    this.#otherBytes = 0;
    this.#otherFiles = 0;
  }
}

/** Of a file that has gone bad nothing more is wanted. */
function closeQuietly(writer: JournalWriter): void {
  try {
    writer.close();
  } catch {
    return;
  }
}

function headOf(task: TaskRow, folder: FolderRow | null, isBase: boolean): Entry {
  if (folder === null) return { what: 'head', v: 1, isBase, task, folder };
  const { handle: _, ...written } = folder;
  return { what: 'head', v: 1, isBase, task, folder: written };
}

/** What a commit says about the task itself, which the next commit's line says again. */
const COMMIT_BYTES = 600;

/** What a commit leaves of no use: rows that it replaces, taken to be as long as their successors, and its own frame. */
function deadBytesOf({ steps }: Commit): number {
  return steps.reduce((sum, step) => sum + (step.seq > 0 ? JSON.stringify(step).length : 0), COMMIT_BYTES);
}

function inPages<T>(rows: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(rows.length / PAGE) }, (_, n) => rows.slice(n * PAGE, (n + 1) * PAGE));
}

function needed<T>(result: Result<T>): T {
  if (!result.ok) throw new FailureError(result.failure);
  return result.value;
}
