import type { FileEntry, FolderProblem, IgnoreReason } from '../core/folder';
import type { FolderId } from '../core/ids';

/**
 * `snapshots/<FolderId>/` in the browser's own storage: `data` holds the bytes of all files one after the other,
 * `index.json` says where each begins. No file name ever meets the storage's naming rules, and a snapshot without an
 * index was never finished.
 */
export interface SnapshotIndex {
  readonly v: 1;
  readonly name: string;
  readonly files: readonly SnapshotEntry[];
  /** Named in the picked folder, left out by rule, not copied. */
  readonly ignored: readonly IgnoredPath[];
  readonly problems: readonly FolderProblem[];
}

export interface SnapshotEntry extends FileEntry {
  /** First byte within `data`. */
  readonly at: number;
}

export interface IgnoredPath {
  readonly path: string;
  readonly reason: IgnoreReason;
}

export const SNAPSHOT_DATA = 'data';
const SNAPSHOT_INDEX = 'index.json';
const SNAPSHOTS = 'snapshots';

export async function snapshotsFolder(opfs: FileSystemDirectoryHandle): Promise<FileSystemDirectoryHandle> {
  return opfs.getDirectoryHandle(SNAPSHOTS, { create: true });
}

export async function snapshotFolder(
  opfs: FileSystemDirectoryHandle,
  id: FolderId,
  options: FileSystemGetDirectoryOptions = {},
): Promise<FileSystemDirectoryHandle> {
  return (await snapshotsFolder(opfs)).getDirectoryHandle(id, options);
}

export async function writeIndex(folder: FileSystemDirectoryHandle, index: SnapshotIndex): Promise<void> {
  const file = await folder.getFileHandle(SNAPSHOT_INDEX, { create: true });
  const writable = await file.createWritable();
  await writable.write(JSON.stringify(index));
  await writable.close();
}

/** @throws `NotFoundError` when there is no finished snapshot */
export async function readIndex(folder: FileSystemDirectoryHandle): Promise<SnapshotIndex> {
  const file = await (await folder.getFileHandle(SNAPSHOT_INDEX)).getFile();
  return JSON.parse(await file.text()) as SnapshotIndex;
}
