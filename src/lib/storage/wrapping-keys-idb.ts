import { ok, type Result } from '../core/result';
import type { Connection } from './connection';
import type { WrappingKeys } from './key-vault';

const NAME = 'wrapping';

/** IndexedDB stores a key object whole without ever showing its bytes. */
export class IdbWrappingKeys implements WrappingKeys {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  get(): Promise<Result<CryptoKey | null>> {
    return this.#connection.run('relaxed', async (database) => ok((await database.vault.get(NAME))?.key ?? null));
  }

  keep(made: CryptoKey): Promise<Result<CryptoKey>> {
    return this.#connection.run('strict', (database) =>
      database.transaction('rw', [database.vault], async () => {
        const found = await database.vault.get(NAME);
        if (found !== undefined) return ok(found.key);
        await database.vault.add({ name: NAME, key: made });
        return ok(made);
      }),
    );
  }
}
