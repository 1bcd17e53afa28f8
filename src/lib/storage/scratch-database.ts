/** Databases for browser tests: each with a name of its own, closed and deleted when its test ends. */
import { onTestFinished } from 'vitest';
import { Connection } from './connection';
import { openDatabase, type Database } from './database';

export function scratchName(): string {
  const name = `test-${crypto.randomUUID()}`;
  onTestFinished(async () => {
    await deleteDatabase(name);
  });
  return name;
}

/** Another connection to the same name is what another tab is. */
export function scratchConnection(name = scratchName(), openLimitMs?: number): Connection {
  const connection = new Connection(name, openLimitMs);
  onTestFinished(() => connection.close());
  return connection;
}

/** The database as the page has it, or to lay broken rows into. */
export function scratchDatabase(name: string): Database {
  const database = openDatabase({ name });
  onTestFinished(() => database.close());
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
