/** The least code that saves a step's rows in the app's own layout: what a commit is measured against. */
import type { ResultRow } from '../../../../src/lib/core/results';
import type { StepRow } from '../../../../src/lib/core/step';
import type { TaskRow } from '../../../../src/lib/core/task';
import { openDatabase, SCHEMA_VERSION } from '../../../../src/lib/storage/database';

export interface StepRows {
  readonly task: TaskRow;
  readonly step: StepRow;
  /** Null for a step that is planned only. */
  readonly result: ResultRow | null;
}

type Save = (rows: StepRows) => Promise<unknown>;

/** One transaction of three puts. */
export async function bareSave(name: string): Promise<Save> {
  const laidOut = openDatabase({ name });
  await laidOut.open();
  laidOut.close();
  // The library counts versions in tens.
  const database = await opened(indexedDB.open(name, SCHEMA_VERSION * 10));
  return ({ task, step, result }) =>
    new Promise((resolve, reject) => {
      const tables = ['tasks', 'steps', 'results'];
      const transaction = database.transaction(tables, 'readwrite', { durability: 'relaxed' });
      transaction.objectStore('steps').put(step);
      if (result) transaction.objectStore('results').put(result);
      transaction.objectStore('tasks').put(task);
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error ?? new Error('a transaction was aborted'));
    });
}

/** The same through the library that the app uses. */
export async function plainLibrarySave(name: string): Promise<Save> {
  const database = openDatabase({ name });
  await database.open();
  const { tasks, steps, results } = database;
  return ({ task, step, result }) =>
    database.transaction('rw', [tasks, steps, results], () =>
      Promise.all([steps.put(step), result && results.put(result), tasks.put(task)]),
    );
}

/** A table that holds one record a task, for what keeps all its state in one. */
export async function openRecords(name: string, stores: readonly string[]): Promise<IDBDatabase> {
  const opening = indexedDB.open(name, 1);
  opening.onupgradeneeded = () => stores.forEach((store) => opening.result.createObjectStore(store));
  return opened(opening);
}

function opened(opening: IDBOpenDBRequest): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error ?? new Error('a database did not open'));
  });
}
