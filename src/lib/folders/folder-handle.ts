import { failure, type Failure } from '../core/failure';
import type { FileEntry, FileFilter, FolderProblem } from '../core/folder';
import type { FolderAccess, FolderFile } from '../core/ports';
import { fail, ok, type Result } from '../core/result';
import { troubleOf, unreadable } from './directory-trouble';
import { createFileFilter } from './file-filter';
import { HandleLookup } from './handle-lookup';
import { accessTo, isGranted, rootFailure } from './permission';
import { filesOf, type Survey, type SurveyedFolder } from './survey';
import { walkDirectory } from './walk-directory';
import { readOutput, writeOutput } from './write-output';

/** A directory on disk, or one in the browser's own storage. */
export class HandleFolder implements SurveyedFolder {
  readonly #root: FileSystemDirectoryHandle;
  readonly #lookup: HandleLookup;

  constructor(root: FileSystemDirectoryHandle) {
    this.#root = root;
    this.#lookup = new HandleLookup(root);
  }

  access(): Promise<FolderAccess> {
    return accessTo(this.#root);
  }

  survey(signal: AbortSignal, filter: FileFilter): Survey {
    return walkDirectory(this.#root, signal, filter);
  }

  walk(signal: AbortSignal, onProblem?: (problem: FolderProblem) => void): AsyncIterable<readonly FileEntry[]> {
    return filesOf(this.survey(signal, createFileFilter()), onProblem);
  }

  async read(path: string, maxBytes: number): Promise<Result<FolderFile>> {
    try {
      const first = await this.#file(path);
      const whole = await wholeFile(path, first, maxBytes);
      if (whole !== null) return whole;
      // Changed since it was opened: the same name opened again sees what is there now.
      const second = await this.#file(path);
      return (await wholeFile(path, second, maxBytes)) ?? fail(unreadableTwice(path, first, second));
    } catch (error) {
      return fail(await this.#lost(path, error));
    }
  }

  async stat(path: string): Promise<Result<FileEntry | null>> {
    try {
      const { size, lastModified } = await this.#file(path);
      return ok({ path, sizeBytes: size, modifiedMs: lastModified });
    } catch (error) {
      const lost = await this.#lost(path, error);
      return lost.code === 'file_gone' ? ok(null) : fail(lost);
    }
  }

  canWrite(): Promise<boolean> {
    return isGranted(this.#root, 'readwrite');
  }

  readOutput(path: string): Promise<Result<Uint8Array<ArrayBuffer> | null>> {
    return readOutput(this.#root, path);
  }

  write(path: string, content: string): Promise<Result<void>> {
    return writeOutput(this.#root, path, content);
  }

  async #file(path: string): Promise<File> {
    return (await this.#lookup.file(path)).getFile();
  }

  /** A file is gone only from a folder that can be listed; a file refused in a granted folder is that file's trouble. */
  async #lost(path: string, error: unknown): Promise<Failure> {
    const trouble = troubleOf(error);
    const lost = await rootFailure(this.#root);
    if (lost !== null) return lost;
    if (trouble !== 'gone' && trouble !== 'bad_name') return unreadable(path, error);
    const obstacle = await this.#lookup.obstacle(path);
    return obstacle === null ? failure('file_gone', { details: { path } }) : unreadable(path, obstacle);
  }
}

/** Null when the file is not any more what it was when opened. */
async function wholeFile(path: string, file: File, maxBytes: number): Promise<Result<FolderFile> | null> {
  const { size: sizeBytes, lastModified: modifiedMs } = file;
  if (sizeBytes > maxBytes) {
    return fail(failure('file_too_large', { details: { path, sizeBytes, limitBytes: maxBytes } }));
  }
  try {
    return ok({ path, sizeBytes, modifiedMs, bytes: new Uint8Array(await file.arrayBuffer()) });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotReadableError') return null;
    throw error;
  }
}

/** Being written to right now, or closed to us: only the first is worth another try. */
function unreadableTwice(path: string, first: File, second: File): Failure {
  const isChanging = first.size !== second.size || first.lastModified !== second.lastModified;
  return failure(isChanging ? 'file_changing' : 'file_unreadable', { details: { path } });
}
