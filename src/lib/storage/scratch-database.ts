/**
 * Databases for browser tests, each with a name of its own. A test file that uses them says `afterEach(closeScratch)`.
 */
import { Connection } from './connection';
import { openDatabase, type Database } from './database';

const names = new Set<string>();
const open = new Set<{ close(): void }>();

/** Closes and deletes all that was made since the last time. */
export async function closeScratch(): Promise<void> {
  for (const one of open) one.close();
  await Promise.all([...names].map(deleteDatabase));
  open.clear();
  names.clear();
}

export function scratchName(): string {
  const name = `test-${crypto.randomUUID()}`;
  names.add(name);
  return name;
}

/** Another connection to the same name is what another tab is. */
export function scratchConnection(name = scratchName(), openLimitMs?: number): Connection {
  const connection = new Connection(name, openLimitMs);
  open.add(connection);
  return connection;
}

/** The database as the page has it, or to lay broken rows into. */
export function scratchDatabase(name: string): Database {
  const database = openDatabase({ name });
  open.add(database);
  return database;
}

/** A connection of some other program, which does not give way; version numbers are the browser's own. */
export function rawOpen(name: string, version: number, upgrade: (database: IDBDatabase) => void = () => undefined) {
  return new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(name, version);
    request.onupgradeneeded = () => upgrade(request.result);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('not opened'));
  });
}

/** Resolves to whether any connection was in the way. */
export function deleteDatabase(name: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let blocked = false;
    const request = indexedDB.deleteDatabase(name);
    request.onblocked = () => {
      blocked = true;
    };
    request.onsuccess = () => resolve(blocked);
    request.onerror = () => reject(request.error ?? new Error('not deleted'));
  });
}
