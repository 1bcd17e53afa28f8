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
