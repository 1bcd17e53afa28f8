import type { Table } from 'dexie';
import { ok, type Result } from '../core/result';
import type { Connection } from './connection';
import { openDatabase, type Database } from './database';
import { UpgradeBlockedError } from './storage-failure';
import { untilDone } from './until-done';

/** Rows that no journal can hold: handles and keys are objects that only a database can keep. */
const TABLES = ['endpoints', 'keys', 'settings', 'vault', 'folders'] as const;

/** The storage bucket with the second copy; lower case, as bucket names are. */
export const COPIES_BUCKET = 'talaria-copies';

/** A frozen page can keep the copy from being opened for ever; nobody waits for a copy longer than that. */
const OPEN_LIMIT_MS = 5_000;

/** Names the setting that tells a database in use from one that was made anew. */
const BORN = 'born';

type Rows = Readonly<Record<(typeof TABLES)[number], readonly unknown[]>>;

/**
 * Endpoints, settings and folder handles, kept a second time in a database of another storage bucket: what damages the
 * one leaves the other. Where the browser has no buckets there is no copy, and nothing fails for it.
 */
export class Copies {
  /** Puts back what the database has lost, once. Fails as the database does, and is then tried again. */
  readonly inOrder = untilDone(() => this.#settle());
  readonly #connection: Connection;
  readonly #factory: () => Promise<IDBFactory | null>;
  #copy: Promise<Database | null> | null = null;
  #refilling: Promise<void> = Promise.resolve();
  #isUnreachable = false;
  #isMissed = false;

  constructor(connection: Connection, factory: () => Promise<IDBFactory | null>) {
    this.#connection = connection;
    this.#factory = factory;
  }

  /** Makes the copy what the database is. To be called after every change of these rows; a copy that fails stays old. */
  refill(): Promise<void> {
    const refilled = this.#refilling.then(() => this.#refill());
    // A defect is told to whoever asked; who asks next begins anew.
    this.#refilling = refilled.catch(() => undefined);
    return refilled;
  }

  /** The database was made anew, and what the copy holds could not be put into it. */
  get isMissed(): boolean {
    return this.#isMissed;
  }

  /** The browser has deleted the database, and perhaps the copy with it. */
  lookAgain(): void {
    void this.close();
    this.#copy = null;
    this.#isUnreachable = false;
    this.#isMissed = false;
    this.inOrder.forget();
  }

  async close(): Promise<void> {
    (await this.#copy)?.close();
  }

  async #refill(): Promise<void> {
    const rows = await this.#connection.run('relaxed', async (database) =>
      ok((await isBorn(database)) ? await rowsOf(database) : null),
    );
    if (!rows.ok) return;
    if (rows.value === null) {
      // The browser has deleted the database: what there is now must not be written over the copy of it.
      this.inOrder.forget();
      return;
    }
    const copy = await this.#database();
    if (copy && !this.#isUnreachable) await rewrite(copy, rows.value);
  }

  async #settle(): Promise<Result<void>> {
    const copy = await this.#database();
    const born = await this.#connection.run('relaxed', async (database) => ok(await isBorn(database)));
    if (!born.ok) return born;
    // A copy that is there and cannot be read now may be at the next start: until then it is not written over.
    const kept = born.value ? null : await this.#kept(copy);
    this.#isMissed = kept === 'unreachable';
    if (kept === 'unreachable') return ok();
    if (!born.value) {
      const restored = await this.#connection.run('strict', (database) => restore(database, kept));
      if (!restored.ok) return restored;
    }
    this.#connection.putBack();
    await this.refill();
    return ok();
  }

  async #kept(copy: Database | null): Promise<Rows | null | 'unreachable'> {
    if (copy === null) return this.#isUnreachable ? 'unreachable' : null;
    try {
      return (await isBorn(copy)) ? await rowsOf(copy) : null;
    } catch {
      this.#isUnreachable = true;
      return 'unreachable';
    }
  }

  #database(): Promise<Database | null> {
    return (this.#copy ??= this.#open());
  }

  async #open(): Promise<Database | null> {
    try {
      const factory = await inTime(this.#factory());
      if (factory === null) return null;
      const database = openDatabase({ factory, durability: 'strict' });
      await inTime(database.open());
      return database;
    } catch {
      this.#isUnreachable = true;
      return null;
    }
  }
}

function inTime<T>(opening: PromiseLike<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new UpgradeBlockedError()), OPEN_LIMIT_MS);
    void opening.then(resolve, reject).then(() => clearTimeout(timer));
  });
}

/** The database factory of a storage bucket of our own; null where there are no buckets. */
export async function bucketFactory(name: string): Promise<IDBFactory | null> {
  const { storageBuckets } = navigator as { readonly storageBuckets?: StorageBuckets };
  return storageBuckets ? (await storageBuckets.open(name)).indexedDB : null;
}

interface StorageBuckets {
  open(name: string): Promise<{ readonly indexedDB: IDBFactory }>;
}

/** Whether this database is one in use, not one that was made a moment ago. */
export async function isBorn(database: Database): Promise<boolean> {
  return (await database.settings.get(BORN)) !== undefined;
}

function rowsOf(database: Database): PromiseLike<Rows> {
  return database.transaction('r', TABLES, async () => {
    const rows = await Promise.all(TABLES.map((name) => database.table(name).toArray()));
    return Object.fromEntries(TABLES.map((name, index) => [name, rows[index] ?? []])) as unknown as Rows;
  });
}

/** What is there already stays: it is newer. */
function restore(database: Database, kept: Rows | null): PromiseLike<Result<void>> {
  return database.transaction('rw', TABLES, async () => {
    for (const name of kept ? TABLES : []) {
      const table = database.table(name);
      const missing: unknown[] = [];
      for (const row of kept?.[name] ?? []) {
        if ((await table.get(keyOf(table, row))) === undefined) missing.push(row);
      }
      await table.bulkPut(missing);
    }
    await database.settings.put({ name: BORN, value: true });
    return ok();
  });
}

/** On a full disk what was deleted goes all the same: keys must not outlive their endpoints. All else is for the next time. */
async function rewrite(copy: Database, rows: Rows): Promise<void> {
  try {
    await replace(copy, rows);
  } catch {
    await forgetOthers(copy, rows).catch(() => undefined);
  }
}

async function forgetOthers(copy: Database, rows: Rows): Promise<void> {
  await copy.transaction('rw', TABLES, async () => {
    for (const name of TABLES) {
      const table = copy.table(name);
      const kept = rows[name].map((row) => keyOf(table, row));
      await table.where(':id').noneOf(kept).delete();
    }
  });
}

function keyOf(table: Table, row: unknown): string {
  return (row as Record<string, string>)[table.schema.primKey.keyPath as string] ?? '';
}

async function replace(copy: Database, rows: Rows): Promise<void> {
  await copy.transaction('rw', TABLES, async () => {
    for (const name of TABLES) {
      await copy.table(name).clear();
      await copy.table(name).bulkPut([...rows[name]]);
    }
  });
}
