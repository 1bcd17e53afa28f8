import { Breakers } from '../engine/breaker';
import type { EnginePorts } from '../engine/engine-ports';
import { TaskRun } from '../engine/task-run';
import { TASK, type EngineBench } from './engine-bench';
import { settle } from './fake-clock';

const never = () => new Promise<never>(() => undefined);

/** One owner of the bench's task, that can die at any moment: nothing it began is answered after that, nothing saved. */
export class OwnerLife {
  readonly #bench: EngineBench;
  readonly #run: TaskRun;
  isDead = false;
  hasEnded = false;

  constructor(bench: EngineBench) {
    this.#bench = bench;
    const ports: EnginePorts = {
      ...bench.ports,
      store: this.#mortal(bench.store),
      breakers: new Breakers(this.#mortal(bench.profiles), bench.clock),
      models: this.#mortal({ open: () => Promise.resolve({ ok: true, value: this.#mortal(bench.model) }) }),
      folders: this.#mortal({ open: () => Promise.resolve({ ok: true, value: this.#mortal(bench.folder) }) }),
    };
    this.#run = new TaskRun(ports, TASK);
  }

  die(): void {
    this.isDead = true;
  }

  /** Lives until it dies, ends, or `until` says so, which is asked between any two moments. */
  async live(until: () => boolean = () => false, retryFailed = false): Promise<void> {
    void this.#run.run({ retryFailed }).finally(() => (this.hasEnded = true));
    for (;;) {
      await settle();
      if (this.isDead || this.hasEnded) return;
      if (until()) this.die();
      else this.#bench.clock.step();
    }
  }

  #mortal<T extends object>(port: T): T {
    return new Proxy(port, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]): unknown => {
          if (this.isDead) return never();
          const answered: unknown = Reflect.apply(value, target, args);
          if (!(answered instanceof Promise)) return answered;
          return answered.then(
            (result: unknown) => (this.isDead ? never() : result),
            (error: unknown) => (this.isDead ? never() : Promise.reject(error as Error)),
          );
        };
      },
    });
  }
}
