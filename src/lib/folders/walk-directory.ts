import { FailureError } from '../core/failure-error';
import type { FileFilter } from '../core/folder';
import { BatchChannel } from './batch-channel';
import { troubleOf, unlistable, unreadable, type DirectoryTrouble } from './directory-trouble';
import { rootFailure } from './permission';
import { Slots } from './slots';
import type { SurveyItem } from './survey';

const FOLDERS_AT_ONCE = 8;
const FILES_AT_ONCE = 16;
const BATCHES = { batchSize: 256, maxAgeMs: 100, capacity: 1024 };

/**
 * Looks through a directory and everything below. Nothing but the batches under way and the subfolders still to list
 * is held in memory. The reader may stop at any time.
 */
export async function* walkDirectory(
  root: FileSystemDirectoryHandle,
  signal: AbortSignal,
  filter: FileFilter,
): AsyncGenerator<readonly SurveyItem[]> {
  const walk = new DirectoryWalk(root, filter);
  try {
    walk.start();
    yield* walk.found.batches(signal);
  } finally {
    walk.stop();
  }
}

interface Subfolder {
  readonly handle: FileSystemDirectoryHandle;
  /** Empty for the top, else ends with `/`. */
  readonly prefix: string;
  readonly parent: FileSystemDirectoryHandle | null;
}

class DirectoryWalk {
  readonly found = new BatchChannel<SurveyItem>(BATCHES);
  readonly #root: FileSystemDirectoryHandle;
  readonly #filter: FileFilter;
  readonly #files = new Slots(FILES_AT_ONCE);
  readonly #due: Subfolder[] = [];
  #listing = 0;
  #stopped = false;
  #somethingVanished = false;

  constructor(root: FileSystemDirectoryHandle, filter: FileFilter) {
    this.#root = root;
    this.#filter = filter;
  }

  start(): void {
    this.#due.push({ handle: this.#root, prefix: '', parent: null });
    this.#listMore();
  }

  stop(): void {
    this.#stopped = true;
    this.found.close();
  }

  #listMore(): void {
    while (!this.#stopped && this.#listing < FOLDERS_AT_ONCE) {
      // Last in, first out: depth first keeps the list of what is due short.
      const folder = this.#due.pop();
      if (folder === undefined) break;
      this.#listing += 1;
      this.#run(async () => {
        await this.#list(folder);
        this.#listing -= 1;
        this.#listMore();
      });
    }
    if (!this.#stopped && this.#listing === 0 && this.#due.length === 0) this.#run(() => this.#finish());
  }

  #run(work: () => Promise<void>): void {
    work().catch((error: unknown) => this.found.fail(error));
  }

  async #list(folder: Subfolder): Promise<void> {
    try {
      for await (const handle of folder.handle.values()) {
        if (this.#stopped) return;
        const path = folder.prefix + handle.name;
        if (handle.kind === 'directory') this.#enter(folder, handle, path);
        else await this.#meet(handle, path);
      }
    } catch (error) {
      await this.#cannotList(folder, error);
    }
  }

  #enter(parent: Subfolder, handle: FileSystemDirectoryHandle, path: string): void {
    const reason = this.#filter.folderVerdict(path);
    if (reason !== null) return this.found.push({ found: 'ignored', path: `${path}/`, reason });
    this.#due.push({ handle, prefix: `${path}/`, parent: parent.handle });
    this.#listMore();
  }

  async #meet(handle: FileSystemFileHandle, path: string): Promise<void> {
    const reason = this.#filter.verdict(path);
    if (reason !== null) {
      this.found.push({ found: 'ignored', path, reason });
    } else {
      await this.#files.take();
      this.#run(() => this.#lookUp(handle, path));
    }
    await this.found.room();
  }

  async #lookUp(handle: FileSystemFileHandle, path: string): Promise<void> {
    try {
      if (this.#stopped) return;
      const { size, lastModified } = await handle.getFile();
      this.found.push({ found: 'file', entry: { path, sizeBytes: size, modifiedMs: lastModified } });
    } catch (error) {
      if (listingTrouble(error) === 'gone') this.#somethingVanished = true;
      else this.found.push({ found: 'problem', path, failure: unreadable(path, error) });
    } finally {
      this.#files.give();
    }
  }

  async #cannotList({ handle, prefix, parent }: Subfolder, error: unknown): Promise<void> {
    const trouble = listingTrouble(error);
    const lost = await rootFailure(this.#root);
    if (lost !== null) throw new FailureError(lost);
    if (parent === null) throw new FailureError(unlistable(handle.name, error));
    if (trouble === 'gone' && (await isGone(parent, handle.name))) this.#somethingVanished = true;
    else this.found.push({ found: 'problem', path: prefix, failure: unreadable(prefix, error) });
  }

  /** What vanished may have been the folder itself: then the listing is short, not the folder. */
  async #finish(): Promise<void> {
    await this.#files.idle();
    const lost = this.#somethingVanished ? await rootFailure(this.#root) : null;
    if (lost !== null) throw new FailureError(lost);
    this.found.close();
  }
}

/** No name is given to the platform while listing: a `TypeError` is a bug. */
function listingTrouble(error: unknown): DirectoryTrouble {
  if (error instanceof TypeError) throw error;
  return troubleOf(error);
}

async function isGone(parent: FileSystemDirectoryHandle, name: string): Promise<boolean> {
  try {
    await parent.getDirectoryHandle(name);
    return false;
  } catch (error) {
    return troubleOf(error) === 'gone';
  }
}
