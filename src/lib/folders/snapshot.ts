import { failure, type Failure } from '../core/failure';
import type { FolderProblem } from '../core/folder';
import { folderId, type FolderId } from '../core/ids';
import { fail, ok, type Result } from '../core/result';
import { abortError } from './abort-error';
import { appendFile, readPiece } from './copy-file';
import { messageOf, troubleOf, unreadable } from './directory-trouble';
import { createFileFilter } from './file-filter';
import { IgnoredFolders } from './file-list';
import { throttled } from './progress-throttle';
import {
  SNAPSHOT_DATA,
  snapshotFolder,
  snapshotsFolder,
  writeIndex,
  type IgnoredPath,
  type SnapshotEntry,
} from './snapshot-index';
import { PackWriter } from './pack-writer';
import { snapshotPaths } from './snapshot-paths';

export interface SnapshotFile {
  /** `webkitRelativePath`, a dropped entry's `fullPath`, or empty. */
  readonly path: string;
  readonly file: File;
}

export interface SnapshotRequest {
  readonly opfs: FileSystemDirectoryHandle;
  readonly id: FolderId;
  readonly name: string;
  readonly files: readonly SnapshotFile[];
  /** Files copied so far, at most ten times a second and once at the end. */
  readonly onProgress: (copied: number) => void;
  readonly signal: AbortSignal;
  readonly monotonicMs?: () => number;
}

export interface SnapshotSummary {
  readonly copied: number;
  readonly bytes: number;
  /** Files that could not be read any more. */
  readonly problems: readonly FolderProblem[];
}

const FILES_AT_ONCE = 16;

/**
 * Copies files into the browser's own storage. All or nothing: when it is stopped or fails nothing is left behind.
 * Files that are left out by their names are noted, not copied. Failures: `storage_full`, `storage_unavailable`.
 */
export async function keepSnapshot(request: SnapshotRequest): Promise<Result<SnapshotSummary>> {
  const { opfs, id, signal } = request;
  try {
    const folder = await snapshotFolder(opfs, id, { create: true });
    return ok(await copyAll(folder, request));
  } catch (error) {
    await deleteSnapshot(opfs, id);
    if (signal.aborted) throw abortError();
    return fail(storageFailure(error));
  }
}

/** Deletes a snapshot, finished or not. Nothing happens when there is none. */
export async function deleteSnapshot(opfs: FileSystemDirectoryHandle, id: FolderId): Promise<void> {
  try {
    await (await snapshotsFolder(opfs)).removeEntry(id, { recursive: true });
  } catch (error) {
    if (troubleOf(error) !== 'gone') throw error;
  }
}

/** Every snapshot there is, unfinished ones included: what no folder row names is left over from a killed copy. */
export async function listSnapshots(opfs: FileSystemDirectoryHandle): Promise<readonly FolderId[]> {
  const ids: FolderId[] = [];
  for await (const name of (await snapshotsFolder(opfs)).keys()) ids.push(folderId(name));
  return ids;
}

async function copyAll(folder: FileSystemDirectoryHandle, request: SnapshotRequest): Promise<SnapshotSummary> {
  const { wanted, ignored } = sorted(request);
  const data = await folder.getFileHandle(SNAPSHOT_DATA, { create: true });
  const pack = new PackWriter(await data.createWritable());
  try {
    const { files, problems } = await copyInto(pack, wanted, request);
    await pack.close();
    await writeIndex(folder, { v: 1, name: request.name, files, ignored, problems });
    request.onProgress(files.length);
    return { copied: files.length, bytes: pack.position, problems };
  } catch (error) {
    await pack.abort();
    throw error;
  }
}

async function copyInto(pack: PackWriter, wanted: readonly SnapshotFile[], request: SnapshotRequest) {
  const { signal, onProgress, monotonicMs = () => performance.now() } = request;
  const report = throttled(monotonicMs);
  const files: SnapshotEntry[] = [];
  const problems: FolderProblem[] = [];
  for (let next = 0; next < wanted.length; next += FILES_AT_ONCE) {
    const group = wanted.slice(next, next + FILES_AT_ONCE);
    const ahead = await Promise.all(group.map(async (each) => ({ ...each, head: await readPiece(each.file, 0) })));
    for (const { path, file, head } of ahead) {
      if (signal.aborted) throw abortError();
      const at = pack.position;
      const copied = await appendFile(pack, file, head, signal);
      if (copied.ok) {
        files.push({ path, sizeBytes: pack.position - at, modifiedMs: file.lastModified, at });
      } else {
        await pack.goBackTo(at);
        problems.push({ path, failure: unreadable(path, copied.failure) });
      }
      report(() => onProgress(files.length));
    }
  }
  if (signal.aborted) throw abortError();
  return { files, problems };
}

function sorted({ name, files }: SnapshotRequest): {
  wanted: readonly SnapshotFile[];
  ignored: readonly IgnoredPath[];
} {
  const paths = snapshotPaths(
    name,
    files.map(({ path, file }) => ({ path, name: file.name })),
  );
  const folders = new IgnoredFolders(createFileFilter());
  const wanted: SnapshotFile[] = [];
  const ignored: IgnoredPath[] = [];
  for (const [index, { file }] of files.entries()) {
    const path = paths[index] ?? file.name;
    const verdict = folders.meet(path);
    if (verdict === null) wanted.push({ path, file });
    else if (verdict !== 'known') ignored.push({ path: verdict.path, reason: verdict.reason });
  }
  return { wanted, ignored };
}

function storageFailure(error: unknown): Failure {
  const code = troubleOf(error) === 'full' ? 'storage_full' : 'storage_unavailable';
  return failure(code, { message: messageOf(error) });
}
