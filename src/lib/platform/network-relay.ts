import type { Network } from '../core/ports';

export interface NetworkRelay extends Network {
  /** Called with what the page hears: workers hear no such events. */
  networkChanged(online: boolean): void;
}

/** The network as the page last told it; before that, as the worker's own navigator says. */
export function networkRelay(online: boolean = globalThis.navigator?.onLine ?? true): NetworkRelay {
  const listeners = new Set<() => void>();
  let now = online;
  return {
    get online() {
      return now;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    networkChanged(changed) {
      if (changed === now) return;
      now = changed;
      for (const listener of [...listeners]) listener();
    },
  };
}
