import type { TaskId } from '../../core/ids';

/** A journal file being written, by one writer at a time. Every method may throw what the browser throws. */
export interface JournalWriter {
  readonly sizeBytes: number;
  /** Adds bytes at the end. When it throws, nothing of them is left. */
  append(bytes: Uint8Array<ArrayBuffer>): void;
  /** Waits until the disk has it. */
  flush(): void;
  /** Forgets what lies behind. */
  cutTo(sizeBytes: number): void;
  close(): void;
}

/** A note that a task is deleted. An owner of a later epoch makes it void. */
export interface Burial {
  readonly epoch: number | null;
}

/** Where journals lie: one folder a task, in it files named in the order of their ownerships. */
export interface JournalFiles {
  tasks(): Promise<readonly TaskId[]>;
  /** Names in order; none for a task without a journal. */
  list(id: TaskId): Promise<readonly string[]>;
  /** Fails when the file exists. */
  create(id: TaskId, name: string): Promise<JournalWriter>;
  /** In pieces, also while somebody writes it. */
  read(id: TaskId, name: string): AsyncIterable<Uint8Array>;
  /** The last bytes, at most `bytes` of them, as text. */
  tail(id: TaskId, name: string, bytes: number): Promise<string>;
  sizeBytes(id: TaskId, name: string): Promise<number>;
  /** Leaves a file that somebody writes. */
  remove(id: TaskId, name: string): Promise<void>;
  /** Notes that the task is deleted as of that epoch, on disk before it resolves; null where nobody can tell its epoch. */
  bury(id: TaskId, epoch: number | null): Promise<void>;
  /** The newest note; null when there is none. */
  burial(id: TaskId): Promise<Burial | null>;
  /** Takes every note back: the task was not deleted after all. */
  unbury(id: TaskId): Promise<void>;
  /** Deletes all of the task's journal, the note last; false when a file of it is still being written. */
  removeAll(id: TaskId): Promise<boolean>;
}

const DIGITS = 10;

/** Names sort by ownership, then by the order in which one owner made them. */
export function journalName(epoch: number, nth: number): string {
  return `${String(epoch).padStart(DIGITS, '0')}-${String(nth).padStart(DIGITS, '0')}.log`;
}

export function epochOf(name: string): number {
  return Number(name.slice(0, DIGITS));
}

/** The file's place among those of its epoch. */
export function nthOf(name: string): number {
  return Number(name.slice(DIGITS + 1, 2 * DIGITS + 1));
}

export function isJournalName(name: string): boolean {
  return /^\d{10}-\d{10}\.log$/.test(name);
}
