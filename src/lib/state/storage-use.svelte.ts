import { askToPersist, isPersisted, storageUse, type StorageUse } from '../platform/persistence';

export type PersistState = 'asking' | 'persisted' | 'not_persisted' | 'refused' | 'unknown';

/** How much is stored and whether the browser may clear it: asked when shown, since nothing announces a change. */
export class StorageUseView {
  #use = $state.raw<StorageUse | null>(null);
  #persist = $state<PersistState>('asking');

  get use(): StorageUse | null {
    return this.#use;
  }

  get persist(): PersistState {
    return this.#persist;
  }

  async look(): Promise<void> {
    const [use, persisted] = await Promise.all([storageUse(), isPersisted()]);
    this.#use = use;
    if (this.#persist === 'refused' && persisted === false) return;
    this.#persist = persisted === null ? 'unknown' : persisted ? 'persisted' : 'not_persisted';
  }

  async ask(): Promise<void> {
    this.#persist = (await askToPersist()) ? 'persisted' : 'refused';
  }
}
