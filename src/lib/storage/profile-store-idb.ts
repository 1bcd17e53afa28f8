import type { BreakerRow } from '../core/breaker';
import { withFound, type EndpointFound, type EndpointRow } from '../core/endpoint';
import type { EndpointId } from '../core/ids';
import type { EndpointLearned } from '../core/learned';
import type { ProfileStore, Settings } from '../core/ports';
import { ok, type Result } from '../core/result';
import type { Connection } from './connection';
import { KeyVault } from './key-vault';
import { learnedIn, learnedName } from './learned-row';
import * as reading from './reading';
import { IdbWrappingKeys } from './wrapping-keys-idb';

/** Endpoint profiles, their encrypted keys and the settings in IndexedDB. */
export class IdbProfileStore implements ProfileStore {
  readonly #connection: Connection;
  readonly #vault: KeyVault;

  constructor(connection: Connection, vault = new KeyVault(new IdbWrappingKeys(connection))) {
    this.#connection = connection;
    this.#vault = vault;
  }

  endpoints(): Promise<Result<readonly EndpointRow[]>> {
    return this.#connection.run('relaxed', async (database) => ok(await reading.listEndpoints(database)));
  }

  endpoint(id: EndpointId): Promise<Result<EndpointRow | null>> {
    return this.#connection.run('relaxed', (database) => reading.readEndpoint(database, id));
  }

  async putEndpoint(row: EndpointRow, key?: string | null): Promise<Result<void>> {
    // Encrypting ends a transaction, so it comes first.
    const sealed = typeof key === 'string' ? await this.#vault.seal(row.id, key) : ok(null);
    if (!sealed.ok) return sealed;
    return this.#connection.run('strict', (database) =>
      database.transaction('rw', [database.endpoints, database.keys], async () => {
        await database.endpoints.put(row);
        if (sealed.value !== null) await database.keys.put({ id: row.id, ...sealed.value });
        else if (key === null) await database.keys.delete(row.id);
        return ok();
      }),
    );
  }

  noteEndpoint(found: EndpointFound): Promise<Result<void>> {
    return this.#connection.run('relaxed', (database) =>
      database.transaction('rw', database.endpoints, async () => {
        const before = await reading.readEndpoint(database, found.id);
        if (!before.ok) return before;
        const row = withFound(before.value, found);
        if (row) await database.endpoints.put(row);
        return ok();
      }),
    );
  }

  removeEndpoint(id: EndpointId): Promise<Result<void>> {
    return this.#connection.run('strict', (database) =>
      database.transaction(
        'rw',
        [database.endpoints, database.keys, database.breakers, database.settings],
        async () => {
          await Promise.all([database.endpoints, database.keys, database.breakers].map((table) => table.delete(id)));
          await database.settings.delete(learnedName(id));
          return ok();
        },
      ),
    );
  }

  async endpointKey(id: EndpointId): Promise<Result<string | null>> {
    const stored = await this.#connection.run('relaxed', async (database) => ok(await database.keys.get(id)));
    if (!stored.ok) return stored;
    return stored.value === undefined ? ok(null) : this.#vault.unseal(id, stored.value);
  }

  breaker(id: EndpointId): Promise<Result<BreakerRow | null>> {
    return this.#connection.run('relaxed', async (database) => ok((await database.breakers.get(id)) ?? null));
  }

  putBreaker(row: BreakerRow): Promise<Result<void>> {
    return this.#connection.run('relaxed', async (database) => {
      await database.breakers.put(row);
      return ok();
    });
  }

  removeBreaker(id: EndpointId): Promise<Result<void>> {
    return this.#connection.run('relaxed', async (database) => {
      await database.breakers.delete(id);
      return ok();
    });
  }

  learned(id: EndpointId): Promise<Result<EndpointLearned | null>> {
    return this.#connection.run('relaxed', async (database) =>
      ok(learnedIn(id, (await database.settings.get(learnedName(id)))?.value)),
    );
  }

  putLearned(learned: EndpointLearned): Promise<Result<void>> {
    return this.#connection.run('relaxed', (database) =>
      database.transaction('rw', [database.endpoints, database.settings], async () => {
        const isThere = (await database.endpoints.get(learned.id)) !== undefined;
        if (isThere) await database.settings.put({ name: learnedName(learned.id), value: learned });
        return ok();
      }),
    );
  }

  settings(): Promise<Result<Settings>> {
    return this.#connection.run('relaxed', async (database) => ok(await reading.readSettings(database)));
  }

  putSettings(patch: Partial<Settings>): Promise<Result<void>> {
    const given: [string, unknown][] = Object.entries(patch);
    const rows = given.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
    return this.#connection.run('strict', async (database) => {
      await database.settings.bulkPut(rows);
      return ok();
    });
  }
}
