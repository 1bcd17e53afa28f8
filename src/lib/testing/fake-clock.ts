import type { Clock } from '../core/ports';

interface Timer {
  readonly atMs: number;
  readonly fire: () => void;
}

/** Time that moves only when told to. Sleeps are kept in order and end as it passes them. */
export class FakeClock implements Clock {
  #monotonicMs = 0;
  #wallMs: number;
  #timers: Timer[] = [];

  constructor(wallMs = Date.UTC(2026, 0, 1)) {
    this.#wallMs = wallMs;
  }

  now(): number {
    return this.#wallMs + this.#monotonicMs;
  }

  monotonicMs(): number {
    return this.#monotonicMs;
  }

  /** The wall clock is set by somebody; the monotonic one does not notice. */
  jumpWall(byMs: number): void {
    this.#wallMs += byMs;
  }

  /** Time passes while nothing runs: whatever was due meanwhile is late. */
  freeze(byMs: number): void {
    this.#monotonicMs += byMs;
  }

  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#timers = this.#timers.filter((each) => each !== timer);
        reject(new DOMException('Aborted', 'AbortError'));
      };
      const timer: Timer = {
        atMs: this.#monotonicMs + Math.max(0, delayMs),
        fire: () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      if (signal?.aborted) {
        leave();
        return;
      }
      signal?.addEventListener('abort', leave, { once: true });
      this.#timers.push(timer);
      this.#timers.sort((a, b) => a.atMs - b.atMs);
    });
  }

  get sleepers(): number {
    return this.#timers.length;
  }

  /** Moves on to the next sleep's end. False when nobody sleeps. */
  step(): boolean {
    const timer = this.#timers.shift();
    if (!timer) return false;
    this.#monotonicMs = Math.max(this.#monotonicMs, timer.atMs);
    timer.fire();
    return true;
  }

  async advance(byMs: number): Promise<void> {
    const untilMs = this.#monotonicMs + byMs;
    for (;;) {
      await settle();
      const next = this.#timers[0];
      if (!next || next.atMs > untilMs) break;
      this.step();
    }
    this.#monotonicMs = untilMs;
    await settle();
  }

  /** Lets time pass, sleep by sleep, until the work is done. */
  async run<T>(work: Promise<T>): Promise<T> {
    const open = Symbol('open');
    const isOpen = async () => (await Promise.race([work.catch(() => null), settle().then(() => open)])) === open;
    while (await isOpen()) this.step();
    return work;
  }
}

/** Everything that is ready to run without time passing has run. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await new Promise<void>((resolve) => setTimeout(resolve, 0));
}
