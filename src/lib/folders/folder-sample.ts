import { failure } from '../core/failure';
import { FailureError } from '../core/failure-error';
import type { FileEntry, FileFilter, FolderProblem } from '../core/folder';
import type { FolderAccess, FolderFile } from '../core/ports';
import { fail, ok, type Result } from '../core/result';
import { messageOf } from './directory-trouble';
import { createFileFilter } from './file-filter';
import { FileList } from './file-list';
import { filesOf, type Survey, type SurveyedFolder } from './survey';

export interface SampleSource {
  /** Where the sample lies, ending with `/`. */
  readonly baseUrl: string;
  readonly fetch: (url: string) => Promise<Response>;
}

/** The folder that ships with the app. Sizes and times come from its index, so they are the same everywhere. */
export class SampleFolder implements SurveyedFolder {
  readonly #source: SampleSource;
  #index: FileList | null = null;

  constructor(source: SampleSource) {
    this.#source = source;
  }

  async access(): Promise<FolderAccess> {
    return (await this.#files()).ok ? 'ready' : 'missing';
  }

  async *survey(signal: AbortSignal, filter: FileFilter): Survey {
    const files = await this.#files();
    if (!files.ok) throw new FailureError(files.failure);
    yield* files.value.survey(signal, filter);
  }

  walk(signal: AbortSignal, onProblem?: (problem: FolderProblem) => void): AsyncIterable<readonly FileEntry[]> {
    return filesOf(this.survey(signal, createFileFilter()), onProblem);
  }

  async read(path: string, maxBytes: number): Promise<Result<FolderFile>> {
    const entry = await this.stat(path);
    if (!entry.ok) return entry;
    if (entry.value === null) return fail(failure('file_gone', { details: { path } }));
    const { sizeBytes, modifiedMs } = entry.value;
    if (sizeBytes > maxBytes) {
      return fail(failure('file_too_large', { details: { path, sizeBytes, limitBytes: maxBytes } }));
    }
    const bytes = await this.#fetched(path);
    if (!bytes.ok) return bytes;
    // A host that answers every address with the app's page would pass for a file.
    if (bytes.value.length !== sizeBytes) return fail(failure('file_unreadable', { details: { path } }));
    return ok({ path, sizeBytes, modifiedMs, bytes: bytes.value });
  }

  async stat(path: string): Promise<Result<FileEntry | null>> {
    const files = await this.#files();
    return files.ok ? ok(files.value.entry(path)) : files;
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

  async #files(): Promise<Result<FileList>> {
    if (this.#index) return ok(this.#index);
    const bytes = await this.#fetched('index.json');
    const entries = bytes.ok ? parsedIndex(new TextDecoder().decode(bytes.value)) : null;
    if (entries === null) return fail(failure('folder_missing', { details: { folder: 'sample' } }));
    this.#index = new FileList(entries);
    return ok(this.#index);
  }

  async #fetched(path: string): Promise<Result<Uint8Array<ArrayBuffer>>> {
    const url = this.#source.baseUrl + path.split('/').map(encodeURIComponent).join('/');
    try {
      const response = await this.#source.fetch(url);
      if (response.ok) return ok(new Uint8Array(await response.arrayBuffer()));
      return fail(failure('file_unreadable', { message: `HTTP ${response.status}`, details: { path } }));
    } catch (error) {
      return fail(failure('file_unreadable', { message: messageOf(error), details: { path } }));
    }
  }
}

function parsedIndex(text: string): readonly FileEntry[] | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) && parsed.every(isFileEntry) ? parsed : null;
  } catch {
    return null;
  }
}

function isFileEntry(value: unknown): value is FileEntry {
  if (typeof value !== 'object' || value === null) return false;
  return (
    'path' in value &&
    typeof value.path === 'string' &&
    'sizeBytes' in value &&
    typeof value.sizeBytes === 'number' &&
    'modifiedMs' in value &&
    typeof value.modifiedMs === 'number'
  );
}
