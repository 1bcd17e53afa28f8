/**
 * Counts the bytes that this worker hands to IndexedDB and to its own file system from now on. Rows are measured as JSON,
 * texts and bytes within them by their length: the size of a clone is not told.
 */
export interface WrittenBytes {
  /** Everything, journal included. */
  total(): number;
  /** What went to one table. */
  table(name: string): number;
}

type Method = (...given: unknown[]) => unknown;

export function countWrittenBytes(): WrittenBytes {
  const tables = new Map<string, number>();
  let files = 0;
  const countRow = function (this: IDBObjectStore, row: unknown) {
    tables.set(this.name, (tables.get(this.name) ?? 0) + sizeOf(row));
  };
  for (const method of ['put', 'add']) before(IDBObjectStore.prototype, method, countRow);
  // Named through the global object: the types of this project are a page's, where the class does not exist.
  const { prototype } = Reflect.get(globalThis, 'FileSystemSyncAccessHandle') as { prototype: object };
  before(prototype, 'write', (bytes) => {
    files += (bytes as ArrayBufferView).byteLength;
  });
  return {
    total: () => [...tables.values()].reduce((sum, bytes) => sum + bytes, files),
    table: (name) => tables.get(name) ?? 0,
  };
}

function before(prototype: object, name: string, look: (this: never, argument: unknown) => void): void {
  const original = Reflect.get(prototype, name) as Method;
  Reflect.set(prototype, name, function (this: unknown, ...given: unknown[]) {
    Reflect.apply(look, this, [given[0]]);
    return Reflect.apply(original, this, given);
  });
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (typeof value !== 'object' || value === null) return String(value).length;
  return Object.entries(value).reduce((sum, [name, each]) => sum + name.length + 4 + sizeOf(each), 2);
}
