import { expect, test } from 'vitest';
import { findCapabilities } from './capabilities';

test('tells what a current Chromium on localhost offers', async () => {
  expect(await findCapabilities()).toEqual({
    folderPicker: true,
    locks: true,
    privateFiles: true,
    secureContext: true,
    indexedDb: 'works',
    serviceWorker: true,
  });
});

const bare = { isSecureContext: false, navigator: {} as Navigator };

test('PWA-07, LIF-08: an insecure page without locks, storage or workers is described, not crashed on', async () => {
  expect(await findCapabilities(bare)).toEqual({
    folderPicker: false,
    locks: false,
    privateFiles: false,
    secureContext: false,
    indexedDb: 'refused',
    serviceWorker: false,
  });
});

test.each([
  [
    'throws on access',
    {
      ...bare,
      get indexedDB(): IDBFactory {
        throw new DOMException('denied', 'SecurityError');
      },
    },
  ],
  [
    'throws on open',
    {
      ...bare,
      indexedDB: {
        open: () => {
          throw new DOMException('private mode', 'InvalidStateError');
        },
      } as unknown as IDBFactory,
    },
  ],
])('IDB-08: a database that %s counts as refused', async (_how, scope) => {
  expect((await findCapabilities(scope)).indexedDb).toBe('refused');
});

test('IDB-08: a database whose opening fails later counts as refused', async () => {
  // A version below the present one fails asynchronously, by the browser itself.
  const newer = indexedDB.open('talaria-probe', 2);
  await new Promise((resolve) => (newer.onsuccess = resolve));
  newer.result.close();
  expect((await findCapabilities()).indexedDb).toBe('refused');
  const deleted = indexedDB.deleteDatabase('talaria-probe');
  await new Promise((resolve) => (deleted.onsuccess = resolve));
});
