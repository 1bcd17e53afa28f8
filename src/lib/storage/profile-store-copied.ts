import type { BreakerRow } from '../core/breaker';
import type { EndpointFound, EndpointRow } from '../core/endpoint';
import type { EndpointId } from '../core/ids';
import type { EndpointLearned } from '../core/learned';
import type { ProfileStore, Settings } from '../core/ports';
import type { Result } from '../core/result';
import type { Copies } from './copies';
import { onceInOrder } from './until-done';

/** Profiles and settings that are put back from their copy before they are read, and copied whenever they change. */
export class CopiedProfileStore implements ProfileStore {
  readonly #store: ProfileStore;
  readonly #copies: Pick<Copies, 'inOrder' | 'refill'>;

  constructor(store: ProfileStore, copies: Pick<Copies, 'inOrder' | 'refill'>) {
    this.#store = store;
    this.#copies = copies;
  }

  endpoints(): Promise<Result<readonly EndpointRow[]>> {
    return this.#read((store) => store.endpoints());
  }

  endpoint(id: EndpointId): Promise<Result<EndpointRow | null>> {
    return this.#read((store) => store.endpoint(id));
  }

  putEndpoint(row: EndpointRow, key?: string | null): Promise<Result<void>> {
    return this.#change((store) => store.putEndpoint(row, key));
  }

  noteEndpoint(found: EndpointFound): Promise<Result<void>> {
    return this.#change((store) => store.noteEndpoint(found));
  }

  removeEndpoint(id: EndpointId): Promise<Result<void>> {
    return this.#change((store) => store.removeEndpoint(id));
  }

  endpointKey(id: EndpointId): Promise<Result<string | null>> {
    return this.#read((store) => store.endpointKey(id));
  }

  breaker(id: EndpointId): Promise<Result<BreakerRow | null>> {
    return this.#read((store) => store.breaker(id));
  }

  /** Not copied: what is lost is learned again at the next look. */
  putBreaker(row: BreakerRow): Promise<Result<void>> {
    return this.#read((store) => store.putBreaker(row));
  }

  removeBreaker(id: EndpointId): Promise<Result<void>> {
    return this.#read((store) => store.removeBreaker(id));
  }

  learned(id: EndpointId): Promise<Result<EndpointLearned | null>> {
    return this.#read((store) => store.learned(id));
  }

  /** Not copied at once, since it changes with every request: it goes with the next change. */
  putLearned(learned: EndpointLearned): Promise<Result<void>> {
    return this.#read((store) => store.putLearned(learned));
  }

  settings(): Promise<Result<Settings>> {
    return this.#read((store) => store.settings());
  }

  putSettings(patch: Partial<Settings>): Promise<Result<void>> {
    return this.#change((store) => store.putSettings(patch));
  }

  #read<T>(work: (store: ProfileStore) => Promise<Result<T>>): Promise<Result<T>> {
    return onceInOrder(this.#copies.inOrder, () => work(this.#store));
  }

  async #change(work: (store: ProfileStore) => Promise<Result<void>>): Promise<Result<void>> {
    const changed = await this.#read(work);
    if (changed.ok) await this.#copies.refill();
    return changed;
  }
}
