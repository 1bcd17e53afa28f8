import { wrap } from 'comlink';
import type { CheckpointStore } from '../../src/lib/core/ports';
import { closeScratch, deleteDatabase, scratchDatabase, scratchName } from '../../src/lib/storage/scratch-database';
import { ALTERED, TORN, TORN_AND_ALTERED, type Damage, type Disk, type DiskKind } from '../../src/lib/testing/disks';
import { TASK } from '../../src/lib/testing/engine-bench';
import { journaledWorker } from './journaled-worker';

/** The task's row is one that this version cannot read: nobody may go on from a guess. */
const UNREADABLE: Damage = { what: "the task's row is not one of ours", refusal: 'row_unreadable' };

type Call = (...args: readonly unknown[]) => Promise<unknown>;

/** The app's own store, each worker's in a thread of its own, on a database and journal files of the browser. */
class BrowserDisk implements Disk {
  readonly name = scratchName();
  readonly #isWiped: boolean;
  readonly #workers = new Set<Worker>();
  #open = 0;

  constructor(isWiped: boolean) {
    this.#isWiped = isWiped;
  }

  get isBusy(): boolean {
    return this.#open > 0;
  }

  open(): CheckpointStore {
    const worker = journaledWorker(this.name);
    this.#workers.add(worker);
    const remote = wrap<Record<string, Call>>(worker);
    return new Proxy({} as CheckpointStore, {
      get: (_, name) => {
        // Or whoever awaits the store would take it for a promise.
        if (typeof name === 'symbol' || name === 'then') return undefined;
        return (...args: readonly unknown[]) => this.#counted(worker, remote[name]?.(...args));
      },
    });
  }

  async kill(): Promise<void> {
    this.end();
    if (this.#isWiped) await deleteDatabase(this.name);
  }

  end(): void {
    for (const worker of this.#workers) worker.terminate();
    this.#workers.clear();
    this.#open = 0;
  }

  async damage(what: string): Promise<void> {
    if (what === UNREADABLE.what) {
      const tasks = scratchDatabase(this.name).table<object>('tasks');
      await tasks.put({ ...(await tasks.get(TASK)), status: 'no such status' });
      return;
    }
    const change = TORN_AND_ALTERED[what];
    if (!change) throw new Error(what);
    const file = await this.#lastFile();
    const bytes = change(new Uint8Array(await (await file.getFile()).arrayBuffer()));
    const writable = await unlocked(file);
    await writable.write(bytes);
    await writable.close();
  }

  async #lastFile(): Promise<FileSystemFileHandle> {
    const root = await navigator.storage.getDirectory();
    const journals = await (await root.getDirectoryHandle(this.name)).getDirectoryHandle('journal');
    const folder = await journals.getDirectoryHandle(TASK);
    const files: string[] = [];
    for await (const file of folder.keys()) files.push(file);
    return folder.getFileHandle(files.sort().at(-1) ?? '');
  }

  async #counted(worker: Worker, answer: Promise<unknown> | undefined): Promise<unknown> {
    this.#open += 1;
    try {
      return await answer;
    } finally {
      if (this.#workers.has(worker)) this.#open -= 1;
    }
  }
}

/** A file that a killed worker had open is free a moment later. */
async function unlocked(file: FileSystemFileHandle): Promise<FileSystemWritableFileStream> {
  for (;;) {
    try {
      return await file.createWritable();
    } catch (error) {
      if (!(error instanceof DOMException && error.name === 'NoModificationAllowedError')) throw error;
    }
  }
}

const disks = new Set<BrowserDisk>();

function made(isWiped: boolean): BrowserDisk {
  const disk = new BrowserDisk(isWiped);
  disks.add(disk);
  return disk;
}

/** Ends all workers and deletes all that was made. A test file that uses these disks says `afterEach(closeBrowserDisks)`. */
export async function closeBrowserDisks(): Promise<void> {
  for (const disk of disks) disk.end();
  await closeScratch();
  const root = await navigator.storage.getDirectory();
  for (const { name } of disks) await root.removeEntry(name, { recursive: true }).catch(() => undefined);
  disks.clear();
}

export const BROWSER: DiskKind = {
  name: "in the browser's database behind a journal",
  make: () => made(false),
  damages: [TORN, UNREADABLE],
};

export const BROWSER_JOURNAL_ALONE: DiskKind = {
  name: "in the browser's journal, with the database deleted at every kill",
  make: () => made(true),
  damages: [TORN, ALTERED],
};
