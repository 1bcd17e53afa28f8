import type { TaskId } from '../core/ids';
import type { StepRow } from '../core/step';
import { mergeFiles, nextCursor, NO_FILES, type FileList } from './task-files';

const PAGE_ROWS = 500;
/** How many pauses a failed read waits before the next. */
const PATIENCE = 8;

/** Steps written after `seq`, oldest first, up to `limit`; the reading side of the store. */
export type ReadSteps = (id: TaskId, seq: number, limit: number) => Promise<readonly StepRow[]>;

/**
 * The files of one task, kept up to date by reading only what changed. `follow` is cheap to call at every commit: reads
 * happen one at a time and at most once in `pauseMs`, so a fast task costs the page no more than a slow one.
 */
export class TaskFiles {
  #list = $state.raw<FileList>(NO_FILES);
  #loaded = $state(false);
  #seq = -1;
  #wanted = -1;
  #reading = false;
  #stopped = false;
  /** A difference that reading everything again did not mend. */
  #stray = '';
  #expected: number | null = null;

  constructor(
    private readonly id: TaskId,
    private readonly read: ReadSteps,
    private readonly pauseMs = 250,
  ) {}

  get list(): FileList {
    return this.#list;
  }

  /** False until every row was read once. */
  get loaded(): boolean {
    return this.#loaded;
  }

  /**
   * The task is at `seq` now. `expected` is the number of files it should have then, when that is settled: rows that
   * went away are told by nothing else, so a difference has everything read again.
   */
  follow(seq: number, expected: number | null): void {
    this.#wanted = Math.max(this.#wanted, seq);
    this.#expected = expected;
    if (!this.#reading && !this.#stopped) void this.#catchUp();
  }

  stop(): void {
    this.#stopped = true;
  }

  async #catchUp(): Promise<void> {
    this.#reading = true;
    while (!this.#stopped && this.#isBehind()) {
      const seq = this.#wanted;
      const again = this.#seq >= seq;
      const read = await this.#readOn(again ? -1 : this.#seq);
      if (read && again) this.#stray = this.#difference();
      // A commit without steps moves the task's seq and leaves no row to read.
      if (read) this.#seq = Math.max(this.#seq, seq);
      this.#loaded ||= read;
      await new Promise((resolve) => setTimeout(resolve, read ? this.pauseMs : this.pauseMs * PATIENCE));
    }
    this.#reading = false;
  }

  #isBehind(): boolean {
    if (this.#seq < this.#wanted) return true;
    const difference = this.#difference();
    return difference !== '' && difference !== this.#stray;
  }

  #difference(): string {
    const found = this.#list.rows.length;
    return this.#expected === null || this.#expected === found ? '' : `${found} of ${this.#expected}`;
  }

  /** Shown as pages come; a later reading of everything replaces the list in one go. False when storage failed. */
  async #readOn(from: number): Promise<boolean> {
    const again = this.#loaded && from < 0;
    let list = again ? NO_FILES : this.#list;
    let cursor = { seq: from, limit: PAGE_ROWS, more: true };
    while (cursor.more && !this.#stopped) {
      const page = await this.read(this.id, cursor.seq, cursor.limit).catch(() => null);
      if (page === null) return false;
      list = mergeFiles(list, page);
      if (!again) this.#list = list;
      cursor = nextCursor(cursor, page);
    }
    if (!this.#stopped) this.#list = list;
    this.#seq = cursor.seq;
    return true;
  }
}
