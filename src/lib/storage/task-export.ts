/**
 * Everything that is stored of one task, as JSON Lines: a header with a version, then one row a line as it lies, readable
 * or not. It asks nothing of the rows, so it works for a task that cannot be used.
 */
import Dexie, { type Table } from 'dexie';
import type { ResultKey, TaskId } from '../core/ids';
import { SCHEMA_VERSION, type Database } from './database';
import type { JournalFiles } from './journal/journal-files';
import { readLines } from './journal/lines';
import { stringIn } from './row-shapes';

/** Of the file's own form. Readers refuse a higher one. */
export const EXPORT_VERSION = 1;

const PAGE = 500;

interface ExportOptions {
  readonly database: Database;
  /** Null where there are none. */
  readonly files: Pick<JournalFiles, 'list' | 'read'> | null;
  readonly id: TaskId;
  readonly nowMs: number;
}

/** Lines without their ends, the header first; the last one counts the others, so that a file cut short can be told. */
export async function* exportLines({ database, files, id, nowMs }: ExportOptions): AsyncIterable<string> {
  const task = await database.tasks.get(id);
  const endpoint = await database.endpoints.get(stringIn(task, 'endpointId') as never);
  yield lineOf({
    talaria: 'task',
    v: EXPORT_VERSION,
    id,
    name: stringIn(task, 'name'),
    exportedMs: nowMs,
    layout: SCHEMA_VERSION,
    // Neither where it is nor how it is spoken to: what must be equal for answers to be of one kind.
    model: stringIn(endpoint, 'model'),
  });
  let count = 0;
  const told = (line: object) => {
    count += 1;
    return lineOf(line);
  };
  if (task !== undefined) yield told({ table: 'tasks', row: task });
  const folder = await database.folders.get(stringIn(task, 'folderId') as never);
  if (folder !== undefined) yield told({ table: 'folders', row: folder });
  const results = new ResultsOnce(database);
  for (const row of await results.of([stringIn(task, 'report')])) yield told({ table: 'results', row });
  for (const [name, index] of BY_TASK) {
    for await (const page of pagesOf(database.table(name), index, id)) {
      for (const row of page) yield told({ table: name, row });
      for (const row of await results.of(page.flatMap(resultKeysIn))) yield told({ table: 'results', row });
    }
  }
  for await (const line of journalLines(files, id)) yield told(line);
  yield lineOf({ end: true, lines: count });
}

const BY_TASK = [
  ['steps', '[taskId+key]'],
  ['activity', '[taskId+seq+n]'],
  ['effects', '[taskId+key]'],
  ['checkpoints', '[taskId+seq]'],
  ['partials', '[taskId+request]'],
] as const;

async function* pagesOf(table: Table, index: string, id: TaskId): AsyncIterable<readonly unknown[]> {
  const width = index.split('+').length - 1;
  const edge = (key: unknown) => [id, ...Array.from({ length: width }, () => key)];
  let from: unknown = edge(Dexie.minKey);
  for (let isFirst = true; ; isFirst = false) {
    const range = table.where(index).between(from, edge(Dexie.maxKey), isFirst, true);
    const keys: readonly unknown[] = await range.clone().limit(PAGE).primaryKeys();
    if (keys.length === 0) return;
    yield await table.bulkGet([...keys]);
    from = keys.at(-1);
  }
}

/** What steps have that many share is told once. */
class ResultsOnce {
  readonly #database: Database;
  readonly #told = new Set<string>();

  constructor(database: Database) {
    this.#database = database;
  }

  async of(keys: readonly string[]): Promise<readonly unknown[]> {
    const fresh = [...new Set(keys)].filter((key) => key !== '' && !this.#told.has(key));
    for (const key of fresh) this.#told.add(key);
    const rows = await this.#database.results.bulkGet(fresh as ResultKey[]);
    return rows.filter((row) => row !== undefined);
  }
}

/** Of a step, or of the steps that a checkpoint keeps as they were. */
function resultKeysIn(row: unknown): readonly string[] {
  const replaced: unknown = typeof row === 'object' && row !== null ? Reflect.get(row, 'replaced') : null;
  const steps: readonly unknown[] = Array.isArray(replaced) ? replaced : [];
  return [row, ...steps].map((step) => stringIn(step, 'resultKey'));
}

/** The journal may know more than the database; a file of it that is damaged is told as far as it goes. */
async function* journalLines(files: ExportOptions['files'], id: TaskId): AsyncIterable<object> {
  for (const file of (await files?.list(id).catch(() => [])) ?? []) {
    if (files === null) return;
    for await (const { entry, seq } of readLines(files.read(id, file))) yield { journal: file, seq, entry };
  }
}

/** Handles and keys are objects that no file can hold: they come out empty. */
function lineOf(line: object): string {
  return JSON.stringify(line, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}
