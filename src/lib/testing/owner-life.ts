import type { FailureCode } from '../core/failure-codes';
import type { FaultPlan } from '../core/fault-points';
import type { Locks } from '../core/ports';
import { Breakers } from '../engine/breaker';
import type { EnginePorts } from '../engine/engine-ports';
import { Supervisor } from '../engine/supervisor';
import { TaskRun } from '../engine/task-run';
import { TASK, type EngineBench } from './engine-bench';

/** Moments in a row in which nobody waits for time to pass. */
const STUCK = 5_000;

const never = () => new Promise<never>(() => undefined);

/** One owner of the bench's task, that can die at any moment: nothing it began is answered after that, nothing saved. */
export class OwnerLife {
  readonly #bench: EngineBench;
  readonly #ports: EnginePorts;
  readonly #run: TaskRun;
  #awake: Promise<void> = Promise.resolve();
  #thaw: () => void = () => undefined;
  isDead = false;
  hasEnded = false;
  /** What the run ended with, when it did not end well. */
  refusal: FailureCode | null = null;

  /** `faults` may end the life at a fault point: `dieHere`. */
  constructor(bench: EngineBench, faults: (life: OwnerLife) => FaultPlan = () => bench.ports.faults, id = TASK) {
    this.#bench = bench;
    const model = this.#mortal(bench.model);
    this.#ports = {
      ...bench.ports,
      store: this.#mortal(bench.store),
      breakers: new Breakers(this.#mortal(bench.profiles), bench.clock),
      models: this.#mortal({ open: () => Promise.resolve({ ok: true, value: model }) }),
      folders: this.#mortal({ open: () => Promise.resolve({ ok: true, value: this.#mortal(bench.folder) }) }),
      faults: faults(this),
    };
    this.#run = new TaskRun(this.#ports, id);
  }

  die(): void {
    this.isDead = true;
  }

  dieHere(): Promise<never> {
    this.die();
    return never();
  }

  /** As a page that the browser stops: what it asked for is done, and it hears of nothing until `thaw`. */
  freeze(): void {
    this.#awake = new Promise((resolve) => (this.#thaw = resolve));
  }

  thaw(): void {
    this.#thaw();
  }

  /** Lives until it dies, ends, or `until` says so, which is asked between any two moments. */
  async live(until: () => boolean = () => false, retryFailed = false): Promise<void> {
    this.begin(retryFailed);
    await this.#untilOver(until);
  }

  /** Does what a worker does for a task that is completed and whose output is due. */
  async liveToWrite(): Promise<void> {
    const { signal } = new AbortController();
    const locks: Locks = { hold: (_name, _signal, work) => work(signal).finally(() => (this.hasEnded = true)) };
    const alone = { send: () => undefined, onMessage: () => undefined };
    await new Supervisor(this.#ports, locks, alone).watch();
    await this.#untilOver(() => false);
  }

  async #untilOver(until: () => boolean): Promise<void> {
    for (let idle = 0; idle < STUCK;) {
      await this.#bench.settle(() => this.isDead);
      if (this.isDead || this.hasEnded) return;
      if (until()) this.die();
      else idle = this.#bench.clock.step() ? 0 : idle + 1;
    }
    throw new Error('it waits for what never comes');
  }

  /** For several lives side by side: somebody else lets time pass. */
  begin(retryFailed = false): void {
    void this.#run
      .run({ retryFailed })
      .then((ran) => (this.refusal = ran.ok ? null : ran.failure.code))
      .finally(() => (this.hasEnded = true));
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
            (result: unknown) => this.#heard(result),
            (error: unknown) => this.#heard(Promise.reject(error as Error)),
          );
        };
      },
    });
  }

  async #heard<T>(answer: T): Promise<T> {
    if (answer instanceof Promise) answer.catch(() => undefined);
    await this.#awake;
    return this.isDead ? never() : answer;
  }
}
