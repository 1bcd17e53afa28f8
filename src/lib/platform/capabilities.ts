/** What this browser, at this address, lets the app do. */
export interface Capabilities {
  /** Folders can be picked and kept; else they are copied in by input or drop. */
  readonly folderPicker: boolean;
  /** A task is guarded against a second tab. */
  readonly locks: boolean;
  /** The origin's private file system, for folder copies. */
  readonly privateFiles: boolean;
  /** Without it there is no hashing, no service worker, no folders. */
  readonly secureContext: boolean;
  /** `refused` in private windows of some browsers and where storage is blocked. */
  readonly indexedDb: 'works' | 'refused';
  readonly serviceWorker: boolean;
}

type Scope = Pick<typeof globalThis, 'isSecureContext' | 'navigator'> & { readonly indexedDB?: IDBFactory };

/** Looks once; opening a database is the only way to know whether one may. */
export async function findCapabilities(scope: Scope = globalThis): Promise<Capabilities> {
  const { navigator } = scope;
  return {
    folderPicker: 'showDirectoryPicker' in scope,
    locks: 'locks' in navigator && navigator.locks !== undefined,
    privateFiles: typeof navigator.storage?.getDirectory === 'function',
    secureContext: scope.isSecureContext,
    indexedDb: (await canOpenDatabase(scope)) ? 'works' : 'refused',
    serviceWorker: 'serviceWorker' in navigator && navigator.serviceWorker !== undefined,
  };
}

const PROBE_NAME = 'talaria-probe';

function canOpenDatabase(scope: Scope): Promise<boolean> {
  return new Promise((resolve) => {
    try {
      // Reading the property alone throws where storage is blocked.
      const opening = scope.indexedDB?.open(PROBE_NAME, 1);
      if (!opening) {
        resolve(false);
        return;
      }
      opening.onsuccess = () => {
        opening.result.close();
        resolve(true);
      };
      opening.onerror = (event) => {
        event.preventDefault();
        resolve(false);
      };
    } catch {
      resolve(false);
    }
  });
}
