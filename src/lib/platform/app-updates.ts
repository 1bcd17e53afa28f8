export type OfflineState = 'unsupported' | 'preparing' | 'ready';

export interface UpdateEvents {
  onOffline(state: OfflineState): void;
  /** A new version is installed and waits. */
  onUpdateReady(): void;
}

export interface AppUpdates {
  /** Lets the waiting version take over; every tab loads again once it has. */
  apply(): void;
  stop(): void;
}

const CHECK_EVERY_MS = 60 * 60_000;

/** Registers the service worker and follows its life. Nothing takes over by itself. */
export function watchAppUpdates(
  scriptUrl: string,
  events: UpdateEvents,
  reload: () => void = () => location.reload(),
): AppUpdates {
  const container: ServiceWorkerContainer | undefined = navigator.serviceWorker;
  const attached = new AbortController();
  const { signal } = attached;
  let registration: ServiceWorkerRegistration | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;

  async function start(): Promise<void> {
    if (!container) {
      events.onOffline('unsupported');
      return;
    }
    // The first worker of all claims a page that has none: that is no reason to load again.
    let controlled = container.controller !== null;
    container.addEventListener(
      'controllerchange',
      () => {
        if (controlled) reload();
        controlled = true;
      },
      { signal },
    );
    events.onOffline('preparing');
    registration = await container.register(scriptUrl, { updateViaCache: 'none' });
    if (signal.aborted) return;
    if (registration.waiting && registration.active) events.onUpdateReady();
    if (registration.installing) followInstall(registration.installing);
    registration.addEventListener(
      'updatefound',
      () => registration?.installing && followInstall(registration.installing),
      { signal },
    );
    if (registration.active) events.onOffline('ready');
    timer = setInterval(look, CHECK_EVERY_MS);
    addEventListener('online', look, { signal });
  }

  function followInstall(worker: ServiceWorker): void {
    worker.addEventListener(
      'statechange',
      () => {
        if (worker.state === 'activated') events.onOffline('ready');
        if (worker.state === 'installed' && registration?.active) events.onUpdateReady();
      },
      { signal },
    );
  }

  function look(): void {
    // Offline, or the host is down: the next look will do.
    registration?.update().catch(() => undefined);
  }

  start().catch(() => events.onOffline('unsupported'));

  return {
    apply: () => registration?.waiting?.postMessage('activate-now'),
    stop: () => {
      clearInterval(timer);
      attached.abort();
    },
  };
}
