import { failure, type Failure } from '../core/failure';
import { FailureError } from '../core/failure-error';
import type { FileEntry, FileFilter, FolderProblem } from '../core/folder';
import type { FolderId } from '../core/ids';
import type { FolderAccess, FolderFile } from '../core/ports';
import { fail, ok, type Result } from '../core/result';
import { messageOf, troubleOf } from './directory-trouble';
import { createFileFilter } from './file-filter';
import { FileList } from './file-list';
import { SNAPSHOT_DATA, readIndex, snapshotFolder, type SnapshotEntry, type SnapshotIndex } from './snapshot-index';
import { filesOf, type Survey, type SurveyedFolder, type SurveyItem } from './survey';

export interface SnapshotPlace {
  readonly id: FolderId;
  readonly name: string;
  readonly opfsRoot: () => Promise<FileSystemDirectoryHandle>;
}

interface Opened {
  readonly folder: FileSystemDirectoryHandle;
  readonly index: SnapshotIndex;
  readonly files: FileList<SnapshotEntry>;
}

/** Files copied into the browser's own storage: always there, never changing, written back nowhere. */
export class SnapshotFolder implements SurveyedFolder {
  readonly #place: SnapshotPlace;
  #opened: Opened | null = null;

  constructor(place: SnapshotPlace) {
    this.#place = place;
  }

  async access(): Promise<FolderAccess> {
    return (await this.#open()).ok ? 'ready' : 'missing';
  }

  async *survey(signal: AbortSignal, filter: FileFilter): Survey {
    const opened = await this.#open();
    if (!opened.ok) throw new FailureError(opened.failure);
    const { ignored, problems } = opened.value.index;
    const notes: SurveyItem[] = [
      ...ignored.map((each) => ({ found: 'ignored' as const, ...each })),
      ...problems.map((each) => ({ found: 'problem' as const, ...each })),
    ];
    if (notes.length > 0) yield notes;
    yield* opened.value.files.survey(signal, filter);
  }

  walk(signal: AbortSignal, onProblem?: (problem: FolderProblem) => void): AsyncIterable<readonly FileEntry[]> {
    return filesOf(this.survey(signal, createFileFilter()), onProblem);
  }

  async read(path: string, maxBytes: number): Promise<Result<FolderFile>> {
    const opened = await this.#open();
    if (!opened.ok) return opened;
    const entry = opened.value.files.entry(path);
    if (entry === null) return fail(failure('file_gone', { details: { path } }));
    const { at, sizeBytes, modifiedMs } = entry;
    if (sizeBytes > maxBytes) {
      return fail(failure('file_too_large', { details: { path, sizeBytes, limitBytes: maxBytes } }));
    }
    try {
      const data = await (await opened.value.folder.getFileHandle(SNAPSHOT_DATA)).getFile();
      const bytes = new Uint8Array(await data.slice(at, at + sizeBytes).arrayBuffer());
      if (bytes.length !== sizeBytes) return fail(failure('file_unreadable', { details: { path } }));
      return ok({ path, sizeBytes, modifiedMs, bytes });
    } catch (error) {
      return fail(this.#lost(error));
    }
  }

  async stat(path: string): Promise<Result<FileEntry | null>> {
    const opened = await this.#open();
    if (!opened.ok) return opened;
    const entry = opened.value.files.entry(path);
    return ok(entry && { path, sizeBytes: entry.sizeBytes, modifiedMs: entry.modifiedMs });
  }

  async canWrite(): Promise<boolean> {
    return false;
  }

  async readOutput(): Promise<Result<null>> {
    return ok(null);
  }

  async write(path: string): Promise<Result<void>> {
    return fail(failure('folder_write_failed', { details: { path, reason: 'read_only' } }));
  }

  async #open(): Promise<Result<Opened>> {
    if (this.#opened) return ok(this.#opened);
    try {
      const folder = await snapshotFolder(await this.#place.opfsRoot(), this.#place.id);
      const index = await readIndex(folder);
      this.#opened = { folder, index, files: new FileList(index.files) };
      return ok(this.#opened);
    } catch (error) {
      return fail(this.#lost(error));
    }
  }

  #lost(error: unknown): Failure {
    troubleOf(error);
    return failure('folder_missing', { message: messageOf(error), details: { folder: this.#place.name } });
  }
}
