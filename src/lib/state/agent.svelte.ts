import type { AgentApi } from '../bridge/agent-api';
import { relayPage } from '../bridge/page-relays';
import { WorkerHost, WorkerStopped, type HostHealth } from '../bridge/worker-host';
import { failure } from '../core/failure';
import type { StepKey, TaskId } from '../core/ids';
import { fail, type Result } from '../core/result';
import { sessionKeys } from './session-keys';

type LiveTextListener = (id: TaskId, key: StepKey, text: string) => void;

/** The page's one agent worker. It starts with the first thing asked of it, never before. */
class Agent {
  #health = $state<HostHealth>('idle');
  readonly #listeners = new Set<LiveTextListener>();
  readonly #host: WorkerHost<AgentApi>;
  #relayed = false;

  constructor() {
    this.#host = new WorkerHost<AgentApi>({
      spawn: () => new Worker(new URL('../../workers/agent.worker.ts', import.meta.url), { type: 'module' }),
      onHealth: (health) => (this.#health = health),
      greet: async (api) => {
        for (const [id, key] of sessionKeys()) await api.giveSessionKey(id, key);
        await api.networkChanged(navigator.onLine);
        await api.onLiveText((id, key, text) => {
          for (const listener of this.#listeners) listener(id, key, text);
        });
        await api.watch();
      },
    });
  }

  get health(): HostHealth {
    return this.#health;
  }

  /** Starts the worker if need be. Functions among the arguments are called back from it. */
  async api(): Promise<AgentApi> {
    if (!this.#relayed) {
      this.#relayed = true;
      relayPage(this.#host);
    }
    await this.#host.start();
    return this.#host.api;
  }

  /** Asks one thing of the worker; its death becomes the failure `worker_stopped`. */
  async ask<T>(question: (api: AgentApi) => Promise<Result<T>>): Promise<Result<T>> {
    try {
      return await question(await this.api());
    } catch (error) {
      if (error instanceof WorkerStopped) return fail(error.failure);
      return fail(failure('unexpected', { message: error instanceof Error ? error.message : String(error) }));
    }
  }

  /** The text streaming right now, from this and every later worker; returns the end of listening. */
  listen(listener: LiveTextListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

export const agent = new Agent();
