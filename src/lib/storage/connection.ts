import type { Failure } from '../core/failure';
import { failure } from '../core/failure';
import { fail, type Result } from '../core/result';
import { openDatabase, type Database } from './database';
import { storageFailure, UpgradeBlockedError } from './storage-failure';

/** Opening takes milliseconds. Behind another tab's blocked upgrade it takes for ever, and no event tells. */
const OPEN_LIMIT_MS = 15_000;

export type Durability = 'strict' | 'relaxed';

/**
 * The worker's way to the database. The library fixes durability for a whole database object, so there are two of
 * them on the same database, one strict and one relaxed: all public interface, and the browser orders transactions
 * over connections as it does over one. The strict one opens when first needed.
 */
export class Connection {
  readonly #databases: Readonly<Record<Durability, Database>>;
  readonly #openLimitMs: number;
  /** Tells a database in use from one that was made a moment ago. @default none: any will do */
  isInUse: (database: Database) => PromiseLike<boolean> = () => Promise.resolve(true);
  /** Told when the browser has deleted the database under us, before anything is done in the new one. */
  onMadeAnew: () => void = () => undefined;
  /** Told when the browser or another tab made it close, in a turn of its own: the database may be gone. */
  onLetGo: () => void = () => undefined;
  #blocked = false;
  #closed = false;
  #hasOpened = false;
  /** What was in the one before is yet to be put into it; so it is at the start, for all that we know. */
  #isAnew = true;
  /** Goes up when the database turns out to be another one. */
  #life = 0;

  constructor(name?: string, openLimitMs = OPEN_LIMIT_MS) {
    this.#openLimitMs = openLimitMs;
    this.#databases = {
      relaxed: this.#make('relaxed', name),
      strict: this.#make('strict', name),
    };
  }

  /**
   * Runs `work`, which must await nothing but the database. A lost connection is opened again and the work is run once
   * more: a transaction that a closing connection cut off has left nothing behind. In a database that was made anew since
   * it was called nothing is run: whoever knows what was in the old one puts that back first.
   * Failures: `storage_full`, `storage_closed`, `storage_unavailable`, `storage_blocked`, `row_from_newer_version`.
   */
  async run<T>(durability: Durability, work: (database: Database) => PromiseLike<Result<T>>): Promise<Result<T>> {
    const database = this.#databases[durability];
    const life = this.#life;
    const first = await this.#attempt(database, life, work);
    if (first.ok || first.failure.code !== 'storage_closed' || this.#closed || this.#life !== life) return first;
    database.close({ disableAutoOpen: false });
    return this.#attempt(database, life, work);
  }

  /** What was in the old database has been put into the new one. */
  putBack(): void {
    this.#isAnew = false;
  }

  close(): void {
    this.#closed = true;
    this.#databases.relaxed.close();
    this.#databases.strict.close();
  }

  async #attempt<T>(
    database: Database,
    life: number,
    work: (database: Database) => PromiseLike<Result<T>>,
  ): Promise<Result<T>> {
    if (this.#closed) return fail(failure('storage_closed'));
    try {
      await this.#open(database);
    } catch (error) {
      return fail(known(error, 'open'));
    }
    if (this.#life !== life) return fail(failure('storage_closed', { message: 'the database was deleted' }));
    try {
      return await work(database);
    } catch (error) {
      return fail(known(error, 'use'));
    }
  }

  /** An open that is kept waiting goes on behind the failure; a later call finds it done. */
  async #open(database: Database): Promise<void> {
    if (database.isOpen()) return;
    const opening = database.open().finally(() => {
      this.#blocked = false;
    });
    await new Promise<void>((resolve, reject) => {
      const giveUp = () => reject(new UpgradeBlockedError());
      // The browser opens a name's connections one after the other: what keeps one waiting keeps both.
      if (this.#blocked) giveUp();
      const timer = setTimeout(giveUp, this.#openLimitMs);
      database.on('blocked', giveUp);
      opening
        .then(() => resolve(), reject)
        .finally(() => {
          clearTimeout(timer);
          database.on('blocked').unsubscribe(giveUp);
        });
    });
    if (!this.#isAnew && !(await this.isInUse(database))) {
      this.#isAnew = true;
      this.#life += 1;
      this.onMadeAnew();
    }
    this.#hasOpened = true;
  }

  #make(durability: Durability, name: string | undefined): Database {
    const database = openDatabase(name === undefined ? { durability } : { durability, name });
    database.on('blocked', () => {
      this.#blocked = true;
    });
    database.on('close', () => {
      setTimeout(() => {
        if (this.#hasOpened && !this.#closed) this.onLetGo();
      });
    });
    return database;
  }
}

function known(error: unknown, phase: 'open' | 'use'): Failure {
  const found = storageFailure(error, phase);
  if (found === null) throw error;
  return found;
}
