import type { StepKey } from '../core/ids';
import type { StepRow } from '../core/step';
import { mergeFiles, NO_FILES, type FileList } from './task-files';

/** The reading side of the store, for one task. */
export interface FileReader {
  /** File steps in key order after `after`, up to `limit`. */
  files(after: StepKey | null, limit: number): Promise<readonly StepRow[]>;
  /** Steps written after `seq`, oldest first, some `limit` of them and never half a commit. */
  since(seq: number, limit: number): Promise<readonly StepRow[]>;
}

/** Few enough that taking a page over from the database is no long task. */
const PAGE_ROWS = 250;
/** How many pauses a failed read waits before the next. */
const PATIENCE = 8;

/**
 * The files of one task, kept up to date by reading only what changed. `follow` is cheap to call at every commit: reads
 * happen one at a time and at most once in `pauseMs`, so a fast task costs the page no more than a slow one.
 */
export class TaskFiles {
  #list = $state.raw<FileList>(NO_FILES);
  #loaded = $state(false);
  #seq = -1;
  #wanted = -1;
  #expected: number | null = null;
  /** A difference that reading everything again did not mend. */
  #stray = '';
  /** Somebody waits for what the read that is under way may not find yet. */
  #hurried = false;
  #endPause: () => void = () => undefined;
  #reading = false;
  #stopped = false;

  constructor(
    private readonly reader: FileReader,
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
   * went away are told by nothing else, so a difference has everything read again. `now` cuts the pause short: for a
   * task that stands still, whose last rows nobody should have to wait for.
   */
  follow(seq: number, expected: number | null, now = false): void {
    this.#wanted = Math.max(this.#wanted, seq);
    this.#expected = expected;
    if (now) {
      this.#hurried = true;
      this.#endPause();
    }
    if (!this.#reading && !this.#stopped) void this.#catchUp();
  }

  stop(): void {
    this.#stopped = true;
  }

  async #catchUp(): Promise<void> {
    this.#reading = true;
    while (!this.#stopped && this.#isBehind()) {
      const wanted = this.#wanted;
      this.#hurried = false;
      const whole = !this.#loaded || this.#seq >= wanted;
      const read = await (whole ? this.#readWhole() : this.#readChanged()).then(
        () => true,
        () => false,
      );
      if (read) {
        // A commit without steps moves the task's seq and leaves no row to read.
        this.#seq = Math.max(this.#seq, wanted);
        if (whole && this.#loaded) this.#stray = this.#difference();
        this.#loaded = true;
      }
      if (!this.#hurried) await this.#pause(read ? this.pauseMs : this.pauseMs * PATIENCE);
    }
    this.#reading = false;
  }

  async #pause(pauseMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pauseMs);
      this.#endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#endPause = () => undefined;
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

  /** The first time rows are shown as pages come; later the list is replaced in one go. */
  async #readWhole(): Promise<void> {
    const read: StepRow[] = [];
    let page: readonly StepRow[];
    let after: StepKey | null = null;
    let shownMs = -Infinity;
    do {
      page = await this.reader.files(after, PAGE_ROWS);
      after = page.at(-1)?.key ?? after;
      read.push(...page);
      if (!this.#loaded && performance.now() - shownMs > this.pauseMs) {
        shownMs = performance.now();
        this.#show(mergeFiles(NO_FILES, read));
      }
    } while (page.length >= PAGE_ROWS && !this.#stopped);
    this.#show(mergeFiles(NO_FILES, read));
  }

  #show(list: FileList): void {
    if (!this.#stopped) this.#list = list;
  }

  async #readChanged(): Promise<void> {
    let page: readonly StepRow[];
    do {
      page = await this.reader.since(this.#seq, PAGE_ROWS);
      this.#seq = page.at(-1)?.seq ?? this.#seq;
      this.#show(mergeFiles(this.#list, page));
    } while (page.length >= PAGE_ROWS && !this.#stopped);
  }
}
