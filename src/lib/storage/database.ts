import Dexie, { type Table } from 'dexie';
import type { ActivityRow } from '../core/activity';
import type { BreakerRow } from '../core/breaker';
import type { CheckpointRow } from '../core/checkpoint';
import type { EffectRow } from '../core/effect';
import type { EndpointRow } from '../core/endpoint';
import type { FolderRow } from '../core/folder';
import type { EffectKey, EndpointId, FolderId, ResultKey, StepKey, TaskId } from '../core/ids';
import type { LeaseRow } from '../core/lease';
import type { PartialRow } from '../core/partial';
import type { ResultRow } from '../core/results';
import type { StepRow } from '../core/step';
import type { TaskRow } from '../core/task';
import type { SealedKey } from './key-vault';

export const DATABASE_NAME = 'talaria';

/**
 * !!! NEVER CHANGE A TABLE OR AN INDEX HERE. !!!
 * People's finished work is stored under this layout. A change is a new `version(n + 1).stores(…)` below, with an
 * `upgrade` where rows change shape, a raised `SCHEMA_VERSION`, and a test that opens a database of every older version.
 *
 * steps: the primary key orders by key, and an index orders rows of equal index key by primary key, so [taskId+status]
 * and [taskId+seq] give key order with nothing added. `resultKey` has no entry where it is null; it is what lets a
 * removal find out that a result is used by nobody without reading every step of every task.
 */
const SCHEMA_1 = {
  tasks: 'id',
  steps: '[taskId+key], [taskId+status], [taskId+seq], resultKey',
  results: 'key',
  activity: '[taskId+seq+n]',
  folders: 'id',
  endpoints: 'id',
  keys: 'id',
  settings: 'name',
  vault: 'name',
  removals: 'id',
} as const;

/**
 * effects: what is not settled is found through the second index. partials: by the request that is streaming.
 * checkpoints: the task's past, in order.
 */
const SCHEMA_2 = {
  effects: '[taskId+key], [taskId+state]',
  partials: '[taskId+request]',
  checkpoints: '[taskId+seq]',
  leases: 'id',
  breakers: 'id',
} as const;

export const SCHEMA_VERSION = 2;

export interface KeyRow extends SealedKey {
  readonly id: EndpointId;
}

export interface SettingRow {
  readonly name: string;
  readonly value: unknown;
}

export interface VaultRow {
  readonly name: string;
  readonly key: CryptoKey;
}

/** A task that is being removed: its row is gone, the rest goes in batches. Deleted with the last of them. */
export interface RemovalRow {
  readonly id: TaskId;
  readonly report: ResultKey | null;
  /** The folder that went with it, kept so that whoever finishes the removal can tell. */
  readonly folder: FolderRow | null;
}

/** Rows that damage is expected in are read as `unknown` and checked by `row-shapes.ts`. */
export class Database extends Dexie {
  declare readonly tasks: Table<unknown, TaskId, TaskRow>;
  declare readonly steps: Table<StepRow, [TaskId, StepKey]>;
  declare readonly results: Table<ResultRow, ResultKey>;
  declare readonly activity: Table<ActivityRow, [TaskId, number, number]>;
  declare readonly folders: Table<unknown, FolderId, FolderRow>;
  declare readonly endpoints: Table<unknown, EndpointId, EndpointRow>;
  declare readonly keys: Table<KeyRow, EndpointId>;
  declare readonly settings: Table<SettingRow, string>;
  declare readonly vault: Table<VaultRow, string>;
  declare readonly removals: Table<RemovalRow, TaskId>;
  declare readonly effects: Table<EffectRow, [TaskId, EffectKey]>;
  declare readonly partials: Table<PartialRow, [TaskId, ResultKey]>;
  declare readonly checkpoints: Table<CheckpointRow, [TaskId, number]>;
  declare readonly leases: Table<LeaseRow, TaskId>;
  declare readonly breakers: Table<BreakerRow, EndpointId>;
}

export interface DatabaseOptions {
  /** @default 'talaria' */
  readonly name?: string;
  /** How long a transaction waits for the disk. @default 'relaxed' */
  readonly durability?: 'strict' | 'relaxed';
  /** Where it lies. @default the origin's own databases */
  readonly factory?: IDBFactory;
}

/**
 * The database, opened at its first use. The page reads rows through it with `liveQuery`; only the worker writes.
 * It gives way at once when another tab upgrades or deletes the database, and opens again at its next use. Throws at
 * use, never here, when the browser has no storage: map what it throws with `storageFailure`.
 */
export function openDatabase(options: DatabaseOptions = {}): Database {
  const database = new Database(options.name ?? DATABASE_NAME, {
    indexedDB: guardedFactory(options.factory),
    chromeTransactionDurability: options.durability ?? 'relaxed',
    // Rows are read once and shown; a second copy of thousands of them in memory helps nobody.
    cache: 'disabled',
  });
  database.version(1).stores(SCHEMA_1);
  database.version(2).stores(SCHEMA_2);
  // `false` ends the chain of handlers: the library's own would also write to the console.
  database.on('versionchange', () => {
    database.close({ disableAutoOpen: false });
    return false;
  });
  database.on('blocked', () => false);
  return database;
}

/**
 * The library opens a database of a newer layout as if it were ours and puts missing tables into it; it patches a
 * layout that was changed without a new version too. Both are refused before anything is touched.
 */
function guardedFactory(browser = (globalThis as { indexedDB?: IDBFactory }).indexedDB): IDBFactory | undefined {
  if (browser === undefined) return undefined;
  return {
    open: (name, version) => {
      if (version === SCHEMA_VERSION * 10) return browser.open(name, version);
      throw version === undefined ? new NewerSchemaError() : new TypeError('the layout was changed without a version');
    },
    deleteDatabase: (name) => browser.deleteDatabase(name),
    databases: () => browser.databases(),
    cmp: (first, second) => browser.cmp(first, second),
  };
}

/** The stored data was written by a newer version of the app. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';
}
