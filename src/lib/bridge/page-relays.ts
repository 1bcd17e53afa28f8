import { notePageLeft } from './page-departure';
import type { HostHealth } from './worker-host';

/** The part of a worker host that follows the page's life. */
export interface Relayed {
  readonly health: HostHealth;
  readonly api: {
    networkChanged(online: boolean): Promise<void>;
    wake(): Promise<void>;
    flushPartials(): Promise<void>;
  };
  start(): Promise<void>;
  stop(): void;
}

/**
 * Tells the worker what only the page hears. Ends it on `pagehide`: a page in the back/forward cache keeps a frozen
 * worker and with it every lock that worker holds, so no other tab could go on with its tasks.
 */
export function relayPage(host: Relayed): () => void {
  const attached = new AbortController();
  const { signal } = attached;
  let resume = false;
  // A worker that dies meanwhile is told everything when its successor is greeted.
  const tell = (call: () => Promise<void>) => {
    if (host.health === 'ready') call().catch(() => undefined);
  };

  addEventListener('online', () => tell(() => host.api.networkChanged(true)), { signal });
  addEventListener('offline', () => tell(() => host.api.networkChanged(false)), { signal });
  addEventListener('focus', () => tell(() => host.api.wake()), { signal });
  document.addEventListener(
    'visibilitychange',
    () => {
      tell(() => (document.visibilityState === 'visible' ? host.api.wake() : host.api.flushPartials()));
    },
    { signal },
  );
  document.addEventListener('freeze', () => tell(() => host.api.flushPartials()), { signal });
  addEventListener(
    'pagehide',
    () => {
      resume = host.health !== 'idle';
      notePageLeft();
      host.stop();
    },
    { signal },
  );
  addEventListener(
    'pageshow',
    (event) => {
      if (!event.persisted || !resume) return;
      resume = false;
      host.start().catch(() => undefined);
    },
    { signal },
  );
  return () => attached.abort();
}
