import { failure } from '../core/failure';
import { FailureError } from '../core/failure-error';
import type { FileEntry, FolderRow } from '../core/folder';
import { folderId } from '../core/ids';
import type { Folder, FolderAccess, FolderFile, FolderOpener } from '../core/ports';
import { fail, ok, type Result } from '../core/result';

interface FakeFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly modifiedMs: number;
}

/** A folder in memory that can lose its permission, lose files between listing and reading, and list too few. */
export class FakeFolder implements Folder {
  readonly #files = new Map<string, FakeFile>();
  readonly written = new Map<string, string>();
  #modifiedMs = 1_000;
  state: FolderAccess = 'ready';
  isWritable = true;
  /** Paths that the listing leaves out although they are there. */
  readonly unlisted = new Set<string>();
  reads = 0;

  put(path: string, content: string): this {
    this.#modifiedMs += 1;
    this.#files.set(path, { bytes: new TextEncoder().encode(content), modifiedMs: this.#modifiedMs });
    return this;
  }

  remove(path: string): this {
    this.#files.delete(path);
    return this;
  }

  rename(from: string, to: string): this {
    const file = this.#files.get(from);
    if (file) this.#files.set(to, file);
    return this.remove(from);
  }

  access(): Promise<FolderAccess> {
    return Promise.resolve(this.state);
  }

  async *walk(signal: AbortSignal): AsyncIterable<readonly FileEntry[]> {
    if (this.state !== 'ready') throw new FailureError(this.#refusal());
    for (const path of this.#files.keys()) {
      signal.throwIfAborted();
      const entry = this.#entry(path);
      if (entry && !this.unlisted.has(path)) yield [entry];
      await Promise.resolve();
    }
  }

  read(path: string): Promise<Result<FolderFile>> {
    this.reads += 1;
    if (this.state !== 'ready') return Promise.resolve(fail(this.#refusal()));
    const file = this.#files.get(path);
    const entry = this.#entry(path);
    return Promise.resolve(file && entry ? ok({ ...entry, bytes: file.bytes }) : fail(failure('file_gone')));
  }

  stat(path: string): Promise<Result<FileEntry | null>> {
    return Promise.resolve(this.state === 'ready' ? ok(this.#entry(path)) : fail(this.#refusal()));
  }

  canWrite(): Promise<boolean> {
    return Promise.resolve(this.isWritable);
  }

  readOutput(path: string): Promise<Result<Uint8Array<ArrayBuffer> | null>> {
    if (this.state !== 'ready') return Promise.resolve(fail(this.#refusal()));
    const held = this.written.get(path);
    return Promise.resolve(ok(held === undefined ? null : new TextEncoder().encode(held)));
  }

  write(path: string, content: string): Promise<Result<void>> {
    this.written.set(path, content);
    return Promise.resolve(ok());
  }

  #entry(path: string): FileEntry | null {
    const file = this.#files.get(path);
    return file ? { path, sizeBytes: file.bytes.length, modifiedMs: file.modifiedMs } : null;
  }

  #refusal() {
    return failure(this.state === 'missing' ? 'folder_missing' : 'folder_permission');
  }
}

export const FAKE_FOLDER_ROW: FolderRow = {
  v: 1,
  id: folderId('folder-1'),
  kind: 'handle',
  name: 'notes',
  handle: null,
  createdMs: 0,
  lastUsedMs: 0,
};

export function openerOf(folder: Folder): FolderOpener {
  return { open: () => Promise.resolve(ok(folder)) };
}
