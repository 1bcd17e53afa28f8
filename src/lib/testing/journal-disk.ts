import type { TaskId } from '../core/ids';
import { ok } from '../core/result';
import { JournaledCheckpointStore } from '../storage/checkpoint-store-journaled';
import { MemoryCheckpointStore } from '../storage/checkpoint-store-memory';
import { MemoryJournalFiles } from '../storage/journal/journal-files-memory';
import { FakeClock } from './fake-clock';
import { FakeTabs } from './fake-tabs';

/** Copies are a matter of real databases: see `copies.browser.test.ts`. */
const NO_COPIES = { inOrder: () => Promise.resolve(ok()), refill: () => Promise.resolve() };

/** A browser: what is on its disk, and a worker's store over it. */
export class JournalDisk {
  files = new MemoryJournalFiles();
  inner = new MemoryCheckpointStore();
  readonly clock = new FakeClock();
  readonly tabs = new FakeTabs();

  open(): JournaledCheckpointStore {
    const { inner: store, files, clock } = this;
    return new JournaledCheckpointStore({ store, files, copies: NO_COPIES, clock, locks: this.tabs.open().locks });
  }

  /** The browser is killed, and at its next start the database is gone. */
  killAndWipe(): void {
    this.files.crash();
    this.inner = new MemoryCheckpointStore();
  }

  async lastFile(id: TaskId): Promise<string> {
    return (await this.files.list(id)).at(-1) ?? '';
  }
}
