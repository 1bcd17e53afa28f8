/**
 * Counts the bytes a worker hands to IndexedDB and to OPFS. Imported before the worker's own code, in the worker.
 * Rows are measured as JSON: the size of a clone is not told, and only how it grows matters here.
 */
let written = 0;

type Method = (...given: unknown[]) => unknown;

/** Replaces a method by one that tells its first argument's size first. */
function countCalls(prototype: object, name: string, sizeOf: (argument: unknown) => number): void {
  const original = Reflect.get(prototype, name) as Method;
  Reflect.set(prototype, name, function (this: unknown, ...given: unknown[]) {
    written += sizeOf(given[0]);
    return Reflect.apply(original, this, given);
  });
}

for (const method of ['put', 'add']) countCalls(IDBObjectStore.prototype, method, (row) => JSON.stringify(row).length);
// Named through the global object: the types of this project are a page's, where the class does not exist.
const { prototype } = Reflect.get(globalThis, 'FileSystemSyncAccessHandle') as { prototype: object };
countCalls(prototype, 'write', (bytes) => (bytes as ArrayBufferView).byteLength);

const channel = new BroadcastChannel('bench-writes');
channel.onmessage = ({ data }) => {
  if (data === 'ask') channel.postMessage(written);
};
