import type { BreakerRow } from '../core/breaker';
import { withFound, type EndpointFound, type EndpointRow } from '../core/endpoint';
import type { EndpointId } from '../core/ids';
import type { EndpointLearned } from '../core/learned';
import { DEFAULT_SETTINGS, type ProfileStore, type Settings } from '../core/ports';
import { ok, type Result } from '../core/result';
import { KeyVault, type SealedKey, type WrappingKeys } from './key-vault';
import { oldestFirst } from './oldest-first';

/** Profiles that last as long as the object: for tests and demonstrations. Keys are sealed here too. */
export class MemoryProfileStore implements ProfileStore {
  readonly #endpoints = new Map<EndpointId, EndpointRow>();
  readonly #keys = new Map<EndpointId, SealedKey>();
  readonly #breakers = new Map<EndpointId, BreakerRow>();
  readonly #learned = new Map<EndpointId, EndpointLearned>();
  readonly #vault: KeyVault;
  #settings: Settings = DEFAULT_SETTINGS;

  constructor(vault = new KeyVault(new MemoryWrappingKeys())) {
    this.#vault = vault;
  }

  async endpoints(): Promise<Result<readonly EndpointRow[]>> {
    return ok(structuredClone(oldestFirst([...this.#endpoints.values()])));
  }

  async endpoint(id: EndpointId): Promise<Result<EndpointRow | null>> {
    return ok(structuredClone(this.#endpoints.get(id) ?? null));
  }

  async putEndpoint(row: EndpointRow, key?: string | null): Promise<Result<void>> {
    const sealed = typeof key === 'string' ? await this.#vault.seal(row.id, key) : ok(null);
    if (!sealed.ok) return sealed;
    this.#endpoints.set(row.id, structuredClone(row));
    if (sealed.value !== null) this.#keys.set(row.id, sealed.value);
    else if (key === null) this.#keys.delete(row.id);
    return ok();
  }

  async noteEndpoint(found: EndpointFound): Promise<Result<void>> {
    const row = withFound(this.#endpoints.get(found.id) ?? null, found);
    if (row) this.#endpoints.set(row.id, structuredClone(row));
    return ok();
  }

  async removeEndpoint(id: EndpointId): Promise<Result<void>> {
    this.#endpoints.delete(id);
    this.#keys.delete(id);
    this.#breakers.delete(id);
    this.#learned.delete(id);
    return ok();
  }

  async endpointKey(id: EndpointId): Promise<Result<string | null>> {
    const sealed = this.#keys.get(id);
    return sealed === undefined ? ok(null) : this.#vault.unseal(id, sealed);
  }

  async breaker(id: EndpointId): Promise<Result<BreakerRow | null>> {
    return ok(this.#breakers.get(id) ?? null);
  }

  async putBreaker(row: BreakerRow): Promise<Result<void>> {
    this.#breakers.set(row.id, structuredClone(row));
    return ok();
  }

  async removeBreaker(id: EndpointId): Promise<Result<void>> {
    this.#breakers.delete(id);
    return ok();
  }

  async learned(id: EndpointId): Promise<Result<EndpointLearned | null>> {
    return ok(structuredClone(this.#learned.get(id) ?? null));
  }

  async putLearned(learned: EndpointLearned): Promise<Result<void>> {
    if (this.#endpoints.has(learned.id)) this.#learned.set(learned.id, structuredClone(learned));
    return ok();
  }

  async settings(): Promise<Result<Settings>> {
    return ok(this.#settings);
  }

  async putSettings(patch: Partial<Settings>): Promise<Result<void>> {
    this.#settings = { ...this.#settings, ...patch };
    return ok();
  }
}

export class MemoryWrappingKeys implements WrappingKeys {
  #key: CryptoKey | null = null;

  async get(): Promise<Result<CryptoKey | null>> {
    return ok(this.#key);
  }

  async keep(made: CryptoKey): Promise<Result<CryptoKey>> {
    this.#key ??= made;
    return ok(this.#key);
  }
}
