import type { Page } from '@playwright/test';

/** Everything an origin keeps in this browser, as one text: databases of every bucket, web storage, OPFS and caches. */
export function storedText(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const pieces: string[] = [JSON.stringify(localStorage), JSON.stringify(sessionStorage), location.href];
    const settle = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(new Error(String(request.error)));
      });
    const plain = (_: string, value: unknown) =>
      value instanceof ArrayBuffer || ArrayBuffer.isView(value)
        ? new TextDecoder('latin1').decode(value)
        : typeof value === 'bigint'
          ? String(value)
          : value;

    const readDatabases = async (factory: IDBFactory) => {
      for (const { name } of await factory.databases()) {
        const database = await settle(factory.open(name ?? ''));
        for (const store of database.objectStoreNames) {
          const rows = await settle(database.transaction(store).objectStore(store).getAll());
          pieces.push(JSON.stringify(rows, plain));
        }
        database.close();
      }
    };
    const readDirectory = async (directory: FileSystemDirectoryHandle) => {
      for await (const entry of directory.values()) {
        if (entry.kind === 'directory') await readDirectory(entry);
        else pieces.push(entry.name, await (await entry.getFile()).text());
      }
    };

    await readDatabases(indexedDB);
    const buckets = Reflect.get(navigator, 'storageBuckets') as
      { keys(): Promise<string[]>; open(name: string): Promise<{ indexedDB: IDBFactory }> } | undefined;
    for (const name of (await buckets?.keys()) ?? []) {
      const bucket = await buckets?.open(name);
      if (bucket) await readDatabases(bucket.indexedDB);
    }
    await readDirectory(await navigator.storage.getDirectory());
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) pieces.push(request.url);
    }
    return pieces.join('\n');
  });
}
