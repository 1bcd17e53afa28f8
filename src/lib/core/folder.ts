import type { Failure } from './failure';
import type { FolderId } from './ids';

export type FolderKind = 'handle' | 'snapshot' | 'sample';

/** A source of files. `handle` is a directory on disk, `snapshot` a copy kept in the browser, `sample` ships with the app. */
export interface FolderRow {
  readonly v: 1;
  readonly id: FolderId;
  readonly kind: FolderKind;
  readonly name: string;
  readonly handle: FileSystemDirectoryHandle | null;
  readonly createdMs: number;
  readonly lastUsedMs: number;
}

export interface FileEntry {
  /** `/`-separated path within the folder, never starting with `/`. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

/** Why a file is not offered to a task, decided by its name alone. */
export type IgnoreReason = 'hidden' | 'system' | 'lock' | 'swap' | 'own_output' | 'not_included' | 'excluded';

/** The folder that Talaria writes into, inside the picked one. Never read as input. */
export const OUTPUT_FOLDER = 'talaria';

/** A file or subfolder that a walk came across and could not look at. Not an empty place: its files are unknown. */
export interface FolderProblem {
  readonly path: string;
  readonly failure: Failure;
}

/** Which files of a folder a task is offered. Decided by paths alone. */
export interface FileFilter {
  /** Null lets the file in. */
  verdict(path: string): IgnoreReason | null;
  /** The same for a whole subfolder: null when something in it may be let in. */
  folderVerdict(path: string): IgnoreReason | null;
  /** Patterns that cannot be understood. They match nothing. */
  readonly badPatterns: readonly string[];
}

/** What a task would read of a folder, as far as the walk has come. */
export interface FolderPreview {
  /** False while the walk runs, and when it was stopped. */
  readonly done: boolean;
  readonly readCount: number;
  readonly readBytes: number;
  /** An ignored subfolder counts once. */
  readonly skippedCount: number;
  /** File name extension (lower case, without dot; empty for none) to number of files that will be read. */
  readonly kinds: Readonly<Record<string, number>>;
  /** The first in path order, at most 200. */
  readonly rows: readonly PreviewRow[];
  /** Places that could not be looked at, at most 20. */
  readonly problems: readonly FolderProblem[];
  readonly badPatterns: readonly string[];
}

/** What a folder is now against what a task knows of it, by path, size and time: a moved file is gone and added. */
export interface FolderComparison {
  readonly added: number;
  readonly changed: number;
  /** Null when it is not known: a place could not be looked at. */
  readonly gone: number | null;
}

export interface PreviewRow {
  /** An ignored subfolder ends with `/`. */
  readonly path: string;
  /** 0 for what is ignored by name: its size is not looked up. */
  readonly sizeBytes: number;
  readonly verdict: 'read' | 'skip';
  readonly reason: IgnoreReason | 'file_kind_unsupported' | 'file_empty' | null;
}
