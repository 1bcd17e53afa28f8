import type { TaskId } from '../core/ids';
import { ok } from '../core/result';
import { JournaledCheckpointStore } from '../storage/checkpoint-store-journaled';
import { MemoryCheckpointStore } from '../storage/checkpoint-store-memory';
import { MemoryJournalFiles } from '../storage/journal/journal-files-memory';
import type { LeftJournals } from '../storage/journal/left-journals';
import type { QuarantinedTask } from '../storage/task-list';
import { untilDone } from '../storage/until-done';
import { FakeClock } from './fake-clock';
import { FakeTabs } from './fake-tabs';

/** A browser: what is on its disk, and a worker's store over it. */
export class JournalDisk {
  files = new MemoryJournalFiles();
  inner = new MemoryCheckpointStore();
  /** Journals that no task could be built from, as told. */
  left: readonly QuarantinedTask[] = [];
  /** A matter of real databases: see `copies.browser.test.ts`. */
  copies = { inOrder: untilDone(() => Promise.resolve(ok())), refill: () => Promise.resolve(), isMissed: false };
  readonly clock = new FakeClock();
  readonly tabs = new FakeTabs();

  open(): JournaledCheckpointStore {
    const { inner: store, files, copies, clock } = this;
    const left: LeftJournals = {
      put: (all) => {
        this.left = all;
        return Promise.resolve(ok());
      },
      forget: (id) => {
        this.left = this.left.filter((one) => one.id !== id);
        return Promise.resolve(ok());
      },
    };
    const { locks } = this.tabs.open();
    return new JournaledCheckpointStore({ store, files, copies, left, clock, locks });
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
