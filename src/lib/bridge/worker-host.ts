import { proxy, wrap } from 'comlink';
import type { Endings } from '../core/endings';
import { failure } from '../core/failure';
import { notePageLeft, pageLeftMs } from './page-departure';
import { PendingCalls } from './pending-calls';
import { stopReason } from './worker-stop';

export type HostHealth = 'idle' | 'starting' | 'ready' | 'stopped';

/** What every hosted API answers, so that silence can be told from work. */
export interface Pingable {
  ping(told: Endings): Promise<void>;
}

export interface HostOptions<Api extends Pingable> {
  readonly spawn: () => Worker;
  readonly onHealth?: (health: HostHealth) => void;
  /** Called with every new worker once it answers, before calls that waited for it. Failing here means a dead worker. */
  readonly greet?: (api: Api) => Promise<void>;
  readonly limits?: Partial<HostLimits>;
}

export interface HostLimits {
  readonly tickMs: number;
  /** Ticks without an answer after which a worker that answered before is dead. */
  readonly silentTicks: number;
  /** The same for one that is still loading its modules. */
  readonly startTicks: number;
  readonly backoffMs: number;
  readonly maxBackoffMs: number;
  /** A worker that lived this long is worth starting again without delay. */
  readonly soundMs: number;
}

export const HOST_LIMITS: HostLimits = {
  tickMs: 900,
  silentTicks: 4,
  startTicks: 20,
  backoffMs: 250,
  maxBackoffMs: 30_000,
  soundMs: 60_000,
};

/** Thrown by calls whose worker died before it answered. Whether the call took effect is told by the rows. */
export class WorkerStopped extends Error {
  override readonly name = 'WorkerStopped';
  readonly failure;
  constructor(why: string) {
    super(why);
    this.failure = failure('worker_stopped', { message: why });
  }
}

interface Life<Api> {
  readonly worker: Worker;
  readonly api: Api;
  readonly bornMs: number;
  timer: ReturnType<typeof setInterval> | undefined;
  answered: boolean;
  silent: number;
}

/**
 * Keeps one worker alive. `api` is the same object for all of the workers that come and go: a call made while one is
 * starting waits for it, a call whose worker dies rejects with `WorkerStopped`, and nothing is left hanging.
 *
 * Silence is counted in ticks and not by a deadline: a page that was itself suspended must not take its own sleep for
 * the worker's. Each death by silence doubles the patience, so that one slow file cannot end every worker in turn.
 */
export class WorkerHost<Api extends Pingable> {
  readonly api: Api;
  readonly #options: HostOptions<Api>;
  readonly #limits: HostLimits;
  readonly #calls = new PendingCalls();
  #health: HostHealth = 'idle';
  #life: Life<Api> | null = null;
  #ready: PromiseWithResolvers<Api> | null = null;
  #deaths = 0;
  #diedMs: number | null = null;
  #unpluggedMs: number | null = null;
  #patience = 1;
  #restart: ReturnType<typeof setTimeout> | undefined;

  constructor(options: HostOptions<Api>) {
    this.#options = options;
    this.#limits = { ...HOST_LIMITS, ...options.limits };
    this.api = this.#callable();
  }

  get health(): HostHealth {
    return this.#health;
  }

  /** Starts the worker unless there is one. Resolves when it answers; waits through failed starts. */
  async start(): Promise<void> {
    await this.#whenReady();
  }

  /** Ends the worker now; every call in flight rejects. `start`, or any call, brings up the next. */
  stop(): void {
    clearTimeout(this.#restart);
    this.#end('the page ended its worker');
    this.#ready?.reject(new WorkerStopped('the page ended its worker'));
    this.#ready = null;
    this.#deaths = 0;
    this.#setHealth('idle');
  }

  #whenReady(): Promise<Api> {
    if (!this.#ready) {
      this.#ready = Promise.withResolvers<Api>();
      // Those who wait get the rejection; with nobody waiting it is no error of its own.
      this.#ready.promise.catch(() => undefined);
      if (!this.#life) this.#spawn();
    }
    return this.#ready.promise;
  }

  #spawn(): void {
    clearTimeout(this.#restart);
    this.#setHealth('starting');
    let worker: Worker;
    try {
      worker = this.#options.spawn();
    } catch (error) {
      this.#scheduleNext(String(error));
      return;
    }
    const api = wrap<Api>(worker) as Api;
    const life: Life<Api> = {
      worker,
      api,
      bornMs: performance.now(),
      timer: undefined,
      answered: false,
      silent: 0,
    };
    this.#life = life;
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      this.#died(life, event.message || 'the worker failed to load');
    });
    worker.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      const why = stopReason(data);
      if (why !== null) this.#stopped(life, why);
    });
    worker.addEventListener('messageerror', () => this.#died(life, 'a message could not be read'));
    life.timer = setInterval(() => this.#tick(life), this.#limits.tickMs);
    void this.#meet(life);
  }

  async #meet(life: Life<Api>): Promise<void> {
    try {
      await life.api.ping(this.#endings());
      life.answered = true;
      life.silent = 0;
      await this.#options.greet?.(this.#through(() => Promise.resolve(life.api)));
    } catch (error) {
      this.#died(life, error instanceof Error ? error.message : String(error));
      return;
    }
    if (this.#life !== life) return;
    this.#setHealth('ready');
    this.#ready ??= Promise.withResolvers<Api>();
    this.#ready.resolve(life.api);
  }

  #tick(life: Life<Api>): void {
    const { silentTicks, startTicks, soundMs } = this.#limits;
    life.silent += 1;
    if (life.silent > (life.answered ? silentTicks * this.#patience : startTicks)) {
      this.#patience = Math.min(16, this.#patience * 2);
      this.#died(life, 'the worker does not answer');
      return;
    }
    if (!life.answered) return;
    if (performance.now() - life.bornMs > soundMs) this.#deaths = 0;
    life.api.ping(this.#endings()).then(
      () => (life.silent = 0),
      (error: unknown) => this.#died(life, String(error)),
    );
  }

  #died(life: Life<Api>, why: string): void {
    if (this.#life !== life) return;
    this.#diedMs = Date.now();
    this.#end(why);
    this.#scheduleNext(why);
  }

  /** It ended on purpose: no fault to wait after, and nothing that speaks against its work. */
  #stopped(life: Life<Api>, why: string): void {
    if (this.#life !== life) return;
    notePageLeft();
    this.#unpluggedMs = Date.now();
    this.#end(why);
    this.#deaths = 0;
    this.#scheduleNext(why);
  }

  #endings(): Endings {
    const unplugged = this.#unpluggedMs === null ? {} : { unpluggedMs: this.#unpluggedMs };
    return { leftMs: pageLeftMs(), diedMs: this.#diedMs, ...unplugged };
  }

  #end(why: string): void {
    const life = this.#life;
    this.#life = null;
    if (life) {
      clearInterval(life.timer);
      life.worker.terminate();
    }
    this.#calls.rejectAll(new WorkerStopped(why));
  }

  #scheduleNext(why: string): void {
    const { backoffMs, maxBackoffMs } = this.#limits;
    const delayMs = Math.min(maxBackoffMs, backoffMs * 2 ** this.#deaths);
    this.#deaths += 1;
    this.#ready?.reject(new WorkerStopped(why));
    this.#ready = null;
    this.#setHealth('stopped');
    this.#restart = setTimeout(() => this.#spawn(), delayMs);
  }

  #setHealth(health: HostHealth): void {
    if (this.#health === health) return;
    this.#health = health;
    this.#options.onHealth?.(health);
  }

  #callable(): Api {
    return this.#through(() => this.#whenReady());
  }

  /** The API whose every method asks for the worker first and is settled whatever becomes of it. */
  #through(reach: () => Promise<Api>): Api {
    return new Proxy({} as Api, {
      get: (_target, name) => {
        // Or a promise of the API would be taken for a promise by `await`.
        if (typeof name !== 'string' || name === 'then') return undefined;
        return (...given: unknown[]) =>
          this.#calls.track(async () => {
            const api = await reach();
            const method = Reflect.get(api, name) as (...args: unknown[]) => Promise<unknown>;
            return method(...given.map((argument) => (isFunction(argument) ? proxy(argument) : argument)));
          });
      },
    });
  }
}

function isFunction(value: unknown): value is (...args: never[]) => unknown {
  return typeof value === 'function';
}
