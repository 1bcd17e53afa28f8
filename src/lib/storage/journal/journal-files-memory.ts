import type { TaskId } from '../../core/ids';
import type { Burial, JournalFiles, JournalWriter } from './journal-files';

interface MemoryFile {
  bytes: Uint8Array<ArrayBuffer>;
  isOpen: boolean;
  /** Thrown by whatever its writer does. */
  broken?: Error;
}

/** Journals that last as long as the object. What it holds can be cut and damaged, as a crash does. */
export class MemoryJournalFiles implements JournalFiles {
  readonly files = new Map<TaskId, Map<string, MemoryFile>>();
  readonly buried = new Map<TaskId, number | null>();
  flushes = 0;
  /** Thrown by the next appends. */
  trouble: Error | null = null;
  /** Thrown by the next flushes. */
  flushTrouble: Error | null = null;

  tasks(): Promise<readonly TaskId[]> {
    return Promise.resolve([...new Set([...this.files.keys(), ...this.buried.keys()])]);
  }

  list(id: TaskId): Promise<readonly string[]> {
    return Promise.resolve([...(this.files.get(id)?.keys() ?? [])].sort());
  }

  create(id: TaskId, name: string): Promise<JournalWriter> {
    const ofTask = this.files.get(id) ?? new Map<string, MemoryFile>();
    this.files.set(id, ofTask);
    if (ofTask.has(name)) return Promise.reject(new DOMException(`${name} exists`, 'NoModificationAllowedError'));
    const file: MemoryFile = { bytes: new Uint8Array(0), isOpen: true };
    ofTask.set(name, file);
    return Promise.resolve(this.#writer(file));
  }

  async *read(id: TaskId, name: string): AsyncIterable<Uint8Array> {
    const { bytes } = this.#file(id, name);
    // In small pieces: a reader must not care where they are cut.
    for (let from = 0; from < bytes.length; from += 100) yield await Promise.resolve(bytes.slice(from, from + 100));
  }

  tail(id: TaskId, name: string, bytes: number): Promise<string> {
    return Promise.resolve(new TextDecoder().decode(this.#file(id, name).bytes.slice(-bytes)));
  }

  sizeBytes(id: TaskId, name: string): Promise<number> {
    return Promise.resolve(this.#file(id, name).bytes.length);
  }

  remove(id: TaskId, name: string): Promise<void> {
    if (!this.#file(id, name).isOpen) this.files.get(id)?.delete(name);
    return Promise.resolve();
  }

  bury(id: TaskId, epoch: number | null): Promise<void> {
    this.buried.set(id, epoch);
    return Promise.resolve();
  }

  unbury(id: TaskId): Promise<void> {
    this.buried.delete(id);
    return Promise.resolve();
  }

  burial(id: TaskId): Promise<Burial | null> {
    const epoch = this.buried.get(id);
    return Promise.resolve(epoch === undefined ? null : { epoch });
  }

  removeAll(id: TaskId): Promise<boolean> {
    const ofTask = this.files.get(id) ?? new Map<string, MemoryFile>();
    for (const [name, { isOpen }] of ofTask) if (!isOpen) ofTask.delete(name);
    if (ofTask.size > 0) return Promise.resolve(false);
    this.files.delete(id);
    this.buried.delete(id);
    return Promise.resolve(true);
  }

  /** Every writer is gone, as after a crash. */
  crash(): void {
    for (const ofTask of this.files.values()) for (const file of ofTask.values()) file.isOpen = false;
  }

  bytesOf(id: TaskId, name: string): Uint8Array<ArrayBuffer> {
    return this.#file(id, name).bytes;
  }

  /** Changes a file behind everybody's back. */
  damage(id: TaskId, name: string, change: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>): void {
    const file = this.#file(id, name);
    file.bytes = change(file.bytes);
  }

  /** What is being written now takes nothing more; files made later are as good as ever. */
  breakWriters(error: Error): void {
    for (const ofTask of this.files.values()) for (const file of ofTask.values()) file.broken = error;
  }

  #file(id: TaskId, name: string): MemoryFile {
    const file = this.files.get(id)?.get(name);
    if (!file) throw new DOMException(`${name} is not there`, 'NotFoundError');
    return file;
  }

  #writer(file: MemoryFile): JournalWriter {
    return {
      get sizeBytes() {
        return file.bytes.length;
      },
      append: (bytes) => {
        if (file.broken) throw file.broken;
        if (this.trouble) throw this.trouble;
        const joined = new Uint8Array(file.bytes.length + bytes.length);
        joined.set(file.bytes);
        joined.set(bytes, file.bytes.length);
        file.bytes = joined;
      },
      flush: () => {
        if (this.flushTrouble) throw this.flushTrouble;
        this.flushes += 1;
      },
      cutTo: (sizeBytes) => {
        if (file.broken) throw file.broken;
        file.bytes = file.bytes.slice(0, sizeBytes);
      },
      close: () => {
        file.isOpen = false;
      },
    };
  }
}
