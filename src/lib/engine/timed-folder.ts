import { failure, type Failure } from '../core/failure';
import { FailureError } from '../core/failure-error';
import type { FileEntry, FolderProblem } from '../core/folder';
import type { Clock, Folder, FolderAccess, FolderFile } from '../core/ports';
import { fail, type Result } from '../core/result';
import { TOO_LATE, within } from './time-limit';

/** A drive that has to spin up, or a network share that is looked up, takes some ten seconds. */
const LOOK_MS = 30_000;
/** The largest file that is read, over a slow network. */
const READ_MS = 5 * 60_000;
const WRITE_MS = 2 * 60_000;
/** Between two batches of a walk: nothing comes of a place that holds nothing but what is left out. */
const LISTING_MS = 5 * 60_000;

/**
 * A folder that answers within limits. One on a network drive or a stick that is gone may answer never, and a step would
 * keep its place for ever. Failures beside the folder's own: `file_timeout` for a file in a folder that answers,
 * `folder_timeout` for all else.
 */
export class TimedFolder implements Folder {
  readonly #folder: Folder;
  readonly #clock: Clock;
  readonly #name: string;

  constructor(folder: Folder, clock: Clock, name: string) {
    this.#folder = folder;
    this.#clock = clock;
    this.#name = name;
  }

  async access(): Promise<FolderAccess> {
    const access = await within(this.#clock, LOOK_MS, this.#folder.access());
    return access === TOO_LATE ? 'silent' : access;
  }

  async *walk(signal: AbortSignal, onProblem?: (problem: FolderProblem) => void): AsyncIterable<readonly FileEntry[]> {
    const batches = this.#folder.walk(signal, onProblem)[Symbol.asyncIterator]();
    let isHanging = false;
    try {
      for (;;) {
        const next = await within(this.#clock, LISTING_MS, batches.next());
        isHanging = next === TOO_LATE;
        if (next === TOO_LATE) throw new FailureError(this.#silent(LISTING_MS));
        if (next.done) return;
        yield next.value;
      }
    } finally {
      // One that hangs would not end for being told to.
      if (!isHanging) await batches.return?.();
    }
  }

  async read(path: string, maxBytes: number): Promise<Result<FolderFile>> {
    const read = await within(this.#clock, READ_MS, this.#folder.read(path, maxBytes));
    if (read !== TOO_LATE) return read;
    if ((await this.access()) === 'silent') return fail(this.#silent(READ_MS));
    return fail(failure('file_timeout', { details: { path, limitMs: READ_MS } }));
  }

  async stat(path: string): Promise<Result<FileEntry | null>> {
    const found = await within(this.#clock, LOOK_MS, this.#folder.stat(path));
    return found === TOO_LATE ? fail(this.#silent(LOOK_MS)) : found;
  }

  async canWrite(): Promise<boolean> {
    return (await within(this.#clock, LOOK_MS, this.#folder.canWrite())) === true;
  }

  async readOutput(path: string): Promise<Result<Uint8Array<ArrayBuffer> | null>> {
    const read = await within(this.#clock, READ_MS, this.#folder.readOutput(path));
    return read === TOO_LATE ? fail(this.#silent(READ_MS)) : read;
  }

  async write(path: string, content: string): Promise<Result<void>> {
    const written = await within(this.#clock, WRITE_MS, this.#folder.write(path, content));
    return written === TOO_LATE ? fail(this.#silent(WRITE_MS)) : written;
  }

  #silent(limitMs: number): Failure {
    return failure('folder_timeout', { details: { folder: this.#name, limitMs } });
  }
}
