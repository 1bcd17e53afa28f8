import { hasWorkLeft } from '../core/task';
import { findCapabilities, type Capabilities } from '../platform/capabilities';
import { watchAppUpdates, type AppUpdates, type OfflineState } from '../platform/app-updates';
import type { TaskList } from '../storage/task-list';
import { agent } from './agent.svelte';
import { startFindings } from './found-at-start.svelte';
import { hasWorkUnseen } from './work-unseen';

/** What the frame around every page knows of the browser and of the app's own version. */
class Shell {
  #capabilities = $state.raw<Capabilities | null>(null);
  #offline = $state<OfflineState | null>(null);
  #updateReady = $state(false);
  #updates: AppUpdates | null = null;

  /** Null until looked for. */
  get capabilities(): Capabilities | null {
    return this.#capabilities;
  }

  get offline(): OfflineState | null {
    return this.#offline;
  }

  get updateReady(): boolean {
    return this.#updateReady;
  }

  /** Call once. `serviceWorkerUrl` is null where there is none, as in development. */
  open(serviceWorkerUrl: string | null): () => void {
    void findCapabilities().then((found) => (this.#capabilities = found));
    if (serviceWorkerUrl === null) return () => undefined;
    this.#updates = watchAppUpdates(serviceWorkerUrl, {
      onOffline: (state) => (this.#offline = state),
      onUpdateReady: () => (this.#updateReady = true),
    });
    return () => this.#updates?.stop();
  }

  applyUpdate(): void {
    this.#updates?.apply();
  }
}

export const shell = new Shell();

let isLookedFor = false;

/** The worker costs a download, so it waits for something to do that nobody asks for. */
export async function wakeAgentFor(tasks: TaskList | undefined): Promise<void> {
  if (tasks === undefined) return;
  startFindings.remember(tasks.readable, Date.now());
  if (agent.health !== 'idle') return;
  if (!tasks.readable.some(hasWorkLeft)) {
    // Left by an earlier life of the app, so once is enough.
    if (isLookedFor) return;
    isLookedFor = true;
    if (!(await hasWorkUnseen(tasks))) return;
  }
  await agent.api().catch(() => undefined);
}
