import type { AgentApi } from '../../bridge/agent-api';
import { WorkerHost } from '../../bridge/worker-host';
import type { TaskId } from '../../core/ids';

/**
 * A worker of its own for the throwaway task, so that ending it ends nothing else. It works on what it is told to and
 * on nothing else; one that was ended is followed by another, which goes on.
 */
export class CheckWorker {
  /** Workers that were ended by a fault since it was last set. */
  stops = 0;
  /** Called when one was; nothing of the task moves until the next has started. */
  onStop: () => void = () => undefined;
  /** What a new worker goes on with. */
  task: TaskId | null = null;
  readonly #host: WorkerHost<AgentApi>;

  constructor() {
    this.#host = new WorkerHost<AgentApi>({
      spawn: () => new Worker(new URL('../../../workers/agent.worker.ts', import.meta.url), { type: 'module' }),
      onHealth: (health) => {
        if (health !== 'stopped') return;
        this.stops += 1;
        this.onStop();
      },
      greet: async (api) => {
        await api.networkChanged(navigator.onLine);
        if (this.task) await api.continueTask(this.task);
      },
    });
  }

  get api(): AgentApi {
    return this.#host.api;
  }

  async start(): Promise<void> {
    await this.#host.start();
  }

  end(): void {
    this.#host.stop();
  }
}
