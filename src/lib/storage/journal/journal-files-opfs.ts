import { taskId, type TaskId } from '../../core/ids';
import { isJournalName, type Burial, type JournalFiles, type JournalWriter } from './journal-files';

const FOLDER = 'journal';
/**
 * A file whose being there says that the task is deleted: an empty one finds room on a full disk, so the epoch stands in
 * its name.
 */
const BURIED = /^deleted(?:-(\d+))?$/;

/**
 * What a worker writes a file of the browser's own file system with. Named here: the types of this project are a page's,
 * where it does not exist.
 */
interface SyncAccessHandle {
  getSize(): number;
  write(bytes: Uint8Array<ArrayBuffer>, options: { at: number }): number;
  truncate(sizeBytes: number): void;
  flush(): void;
  close(): void;
}

type WritableFile = FileSystemFileHandle & { createSyncAccessHandle(): Promise<SyncAccessHandle> };

/** Journals in the browser's own file system, beside IndexedDB and not in it: what damages one leaves the other. */
export class OpfsJournalFiles implements JournalFiles {
  readonly #root: () => Promise<FileSystemDirectoryHandle>;

  constructor(root: () => Promise<FileSystemDirectoryHandle>) {
    this.#root = root;
  }

  async tasks(): Promise<readonly TaskId[]> {
    const folder = await this.#journals();
    const ids: TaskId[] = [];
    for await (const [name, handle] of folder.entries()) {
      if (handle.kind === 'directory') ids.push(taskId(decodeURIComponent(name)));
    }
    return ids;
  }

  async list(id: TaskId): Promise<readonly string[]> {
    const folder = await this.#ofTask(id);
    if (folder === null) return [];
    const names: string[] = [];
    for await (const name of folder.keys()) if (isJournalName(name)) names.push(name);
    return names.sort();
  }

  async create(id: TaskId, name: string): Promise<JournalWriter> {
    const folder = await (await this.#journals()).getDirectoryHandle(encodeURIComponent(id), { create: true });
    const file = (await folder.getFileHandle(name, { create: true })) as WritableFile;
    const handle = await file.createSyncAccessHandle();
    if (handle.getSize() > 0) {
      handle.close();
      throw new DOMException(`${name} exists`, 'NoModificationAllowedError');
    }
    return new OpfsJournalWriter(handle);
  }

  async *read(id: TaskId, name: string): AsyncIterable<Uint8Array> {
    const reader = (await this.#file(id, name)).stream().getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  }

  async tail(id: TaskId, name: string, bytes: number): Promise<string> {
    const file = await this.#file(id, name);
    return file.slice(Math.max(0, file.size - bytes)).text();
  }

  async sizeBytes(id: TaskId, name: string): Promise<number> {
    return (await this.#file(id, name)).size;
  }

  async remove(id: TaskId, name: string): Promise<void> {
    await removed(await this.#ofTask(id), name);
  }

  async bury(id: TaskId, epoch: number | null): Promise<void> {
    const folder = await (await this.#journals()).getDirectoryHandle(encodeURIComponent(id), { create: true });
    await folder.getFileHandle(epoch === null ? 'deleted' : `deleted-${String(epoch)}`, { create: true });
  }

  async burial(id: TaskId): Promise<Burial | null> {
    const notes = await notesIn(await this.#ofTask(id));
    const epochs = notes.flatMap((name) => BURIED.exec(name)?.[1] ?? []);
    if (epochs.length > 0) return { epoch: Math.max(...epochs.map(Number)) };
    return notes.length > 0 ? { epoch: null } : null;
  }

  async unbury(id: TaskId): Promise<void> {
    const folder = await this.#ofTask(id);
    for (const name of await notesIn(folder)) await removed(folder, name);
  }

  async removeAll(id: TaskId): Promise<boolean> {
    const folder = await this.#ofTask(id);
    if (folder === null) return true;
    let isEmpty = true;
    for (const name of await this.list(id)) isEmpty = (await removed(folder, name)) && isEmpty;
    if (!isEmpty) return false;
    for (const name of await notesIn(folder)) await removed(folder, name);
    return removed(await this.#journals(), encodeURIComponent(id), { recursive: true });
  }

  async #journals(): Promise<FileSystemDirectoryHandle> {
    return (await this.#root()).getDirectoryHandle(FOLDER, { create: true });
  }

  async #ofTask(id: TaskId): Promise<FileSystemDirectoryHandle | null> {
    return orNull((await this.#journals()).getDirectoryHandle(encodeURIComponent(id)));
  }

  async #file(id: TaskId, name: string): Promise<File> {
    const folder = await (await this.#journals()).getDirectoryHandle(encodeURIComponent(id));
    return (await folder.getFileHandle(name)).getFile();
  }
}

class OpfsJournalWriter implements JournalWriter {
  readonly #handle: SyncAccessHandle;
  #sizeBytes = 0;

  constructor(handle: SyncAccessHandle) {
    this.#handle = handle;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  append(bytes: Uint8Array<ArrayBuffer>): void {
    const before = this.#sizeBytes;
    try {
      const written = this.#handle.write(bytes, { at: before });
      if (written < bytes.length) throw new DOMException('not all was written', 'QuotaExceededError');
      this.#sizeBytes = before + written;
    } catch (error) {
      this.#handle.truncate(before);
      throw error;
    }
  }

  flush(): void {
    this.#handle.flush();
  }

  cutTo(sizeBytes: number): void {
    this.#handle.truncate(sizeBytes);
    this.#sizeBytes = sizeBytes;
  }

  close(): void {
    this.#handle.close();
  }
}

async function notesIn(folder: FileSystemDirectoryHandle | null): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const name of folder?.keys() ?? []) if (BURIED.test(name)) names.push(name);
  return names;
}

async function orNull<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotFoundError') return null;
    throw error;
  }
}

/** False when somebody has the file open. */
async function removed(
  folder: FileSystemDirectoryHandle | null,
  name: string,
  options: FileSystemRemoveOptions = {},
): Promise<boolean> {
  try {
    await folder?.removeEntry(name, options);
    return true;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotFoundError') return true;
    if (error instanceof DOMException && error.name === 'NoModificationAllowedError') return false;
    throw error;
  }
}
