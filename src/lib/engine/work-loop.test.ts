import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failure } from '../core/failure';
import { FailureError } from '../core/failure-error';
import { fail, ok, type Result } from '../core/result';
import type { StepRow } from '../core/step';
import { FakeClock, settle } from '../testing/fake-clock';
import { sampleStep } from '../testing/sample-rows';
import { Gate } from './gate';
import { WorkLoop, type Settled } from './work-loop';

type Move<T = Settled> = T extends unknown ? Omit<T, 'saved' | 'handled'> : never;

interface Latch {
  readonly opened: Promise<void>;
  open(): void;
}

function latch(): Latch {
  let open = () => undefined as void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

/** A loop over steps in memory. Like the rows of a task, a step is pending until its outcome is saved. */
class Bench {
  readonly clock = new FakeClock();
  readonly gate = new Gate();
  readonly stop = new AbortController();
  readonly handedOut: string[] = [];
  readonly parked: string[] = [];
  readonly held: string[] = [];
  readonly pending = new Map<string, StepRow>();
  mostInFlight = 0;
  inFlight = 0;
  width = 2;
  broke = 0;
  isGrowing = false;
  weight = (_path: string) => 0;
  isLonely = (_path: string) => false;
  work: (path: string, nth: number) => Move | Promise<Move> = () => ({ kind: 'settled' });
  saved: (path: string) => Promise<unknown> = () => Promise.resolve();
  handled: (path: string) => void = () => undefined;
  wait: () => Promise<void> = () => Promise.resolve();
  list: () => Result<readonly StepRow[]> = () => ok([...this.pending.values()]);
  lulls = 0;
  readonly loop: WorkLoop;

  constructor(...paths: string[]) {
    this.add(...paths);
    this.loop = new WorkLoop({
      clock: this.clock,
      signal: this.stop.signal,
      gate: this.gate,
      width: () => this.width,
      weight: (step) => this.weight(pathOf(step)),
      isLonely: (step) => this.isLonely(pathOf(step)),
      pending: async (limit) => {
        const listed = this.list();
        return listed.ok ? ok(listed.value.slice(0, limit)) : listed;
      },
      isGrowing: () => this.isGrowing,
      work: (step) => this.#work(pathOf(step)),
      park: async ({ code }) => {
        this.parked.push(code);
        await this.wait();
      },
      hold: async ({ code }) => {
        this.held.push(code);
        await this.wait();
      },
      onBroken: () => {
        this.broke += 1;
      },
      onLull: () => {
        this.lulls += 1;
      },
    });
  }

  add(...paths: string[]): void {
    for (const path of paths) this.pending.set(path, sampleStep(path));
  }

  run(): Promise<void> {
    return this.clock.run(this.loop.run());
  }

  async #work(path: string): Promise<Settled> {
    this.handedOut.push(path);
    this.inFlight += 1;
    this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
    try {
      const move = await this.work(path, this.handedOut.filter((each) => each === path).length);
      const saved = this.saved(path).then(() => {
        if (move.kind === 'settled') this.pending.delete(path);
      });
      return { ...move, saved, handled: () => this.handled(path) };
    } finally {
      this.inFlight -= 1;
    }
  }
}

function pathOf(step: StepRow): string {
  return step.file?.path ?? step.key;
}

async function isOver(work: Promise<unknown>): Promise<boolean> {
  return Promise.race([
    work.then(
      () => true,
      () => true,
    ),
    settle().then(() => false),
  ]);
}

describe('handing out', () => {
  it('keeps as many going as the width says, in order, each once', async () => {
    const bench = new Bench('a', 'b', 'c', 'd', 'e');
    bench.work = async () => {
      await settle();
      return { kind: 'settled' };
    };
    await bench.run();
    expect(bench.handedOut).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(bench.mostInFlight).toBe(2);
  });

  it('a wider loop hands out more as soon as it is told', async () => {
    const bench = new Bench('a', 'b', 'c', 'd');
    const gate = latch();
    bench.work = () => gate.opened.then(() => ({ kind: 'settled' as const }));
    const running = bench.loop.run();
    await settle();
    expect(bench.handedOut).toEqual(['a', 'b']);
    bench.width = 4;
    bench.loop.notify();
    await settle();
    expect(bench.handedOut).toHaveLength(4);
    gate.open();
    await running;
  });

  it('what is too heavy together goes in turn, and what is too heavy alone goes alone', async () => {
    const bench = new Bench('heavy', 'light', 'huge', 'last');
    bench.width = 4;
    bench.weight = (path) => ({ heavy: 0.8, light: 0.1, huge: 3, last: 0.1 })[path] ?? 0;
    const together: string[][] = [];
    const now = new Set<string>();
    bench.work = async (path) => {
      now.add(path);
      await settle();
      together.push([...now]);
      now.delete(path);
      return { kind: 'settled' };
    };
    await bench.run();
    expect(bench.handedOut).toEqual(['heavy', 'light', 'huge', 'last']);
    expect(together.filter((group) => group.includes('huge'))).toEqual([['huge']]);
    expect(together[0]).toEqual(['heavy', 'light']);
  });

  it('a step whose outcome is not saved yet is nobody else’s, although the rows still say pending', async () => {
    const bench = new Bench('a', 'b');
    const commit = latch();
    bench.saved = () => commit.opened;
    const running = bench.loop.run();
    await settle();
    bench.loop.notify();
    expect(await isOver(running)).toBe(false);
    expect(bench.handedOut).toEqual(['a', 'b']);
    commit.open();
    await running;
    expect(bench.handedOut).toEqual(['a', 'b']);
  });

  it('waits while steps may still be added, and looks once more when none can be', async () => {
    const bench = new Bench();
    bench.isGrowing = true;
    const running = bench.loop.run();
    expect(await isOver(running)).toBe(false);
    bench.add('late');
    bench.loop.notify();
    await settle();
    expect(bench.handedOut).toEqual(['late']);
    expect(await isOver(running)).toBe(false);
    bench.add('last');
    bench.isGrowing = false;
    bench.loop.notify();
    await running;
    expect(bench.handedOut).toEqual(['late', 'last']);
  });

  it('whatever becomes of steps on the way, each ends settled, and never more than the width are out', async () => {
    const delays = fc.constantFrom<Move>({ kind: 'again', delayMs: 700 }, { kind: 'again', delayMs: 0 });
    const waits = fc.constantFrom<Move>(
      { kind: 'wait', failure: failure('rate_limited') },
      { kind: 'wait', failure: failure('endpoint_unreachable') },
    );
    const planOf = (moves: fc.Arbitrary<Move>) =>
      fc.array(fc.array(moves, { maxLength: 2 }), { minLength: 1, maxLength: 6 });
    const plan = fc.oneof(planOf(delays), planOf(waits));
    await fc.assert(
      fc.asyncProperty(plan, fc.integer({ min: 1, max: 4 }), async (detours, width) => {
        const bench = new Bench(...detours.map((_, index) => `f-${String(index)}`));
        bench.width = width;
        bench.work = async (path, nth) => {
          await Promise.resolve();
          return detours[Number(path.slice(2))]?.[nth - 1] ?? { kind: 'settled' };
        };
        bench.wait = () => bench.clock.sleep(1_000);
        await bench.run();
        expect(bench.pending.size).toBe(0);
        expect(bench.mostInFlight).toBeLessThanOrEqual(width);
        expect(bench.handedOut).toHaveLength(detours.length + detours.flat().length);
      }),
      { numRuns: 20 },
    );
  });
});

describe('what becomes of a step', () => {
  it('again: not before its delay is over, while the others go on', async () => {
    const bench = new Bench('a', 'b', 'c');
    bench.width = 1;
    const atMs: number[] = [];
    bench.work = (path, nth) => {
      if (path !== 'a') return { kind: 'settled' };
      atMs.push(bench.clock.monotonicMs());
      return nth === 1 ? { kind: 'again', delayMs: 5_000 } : { kind: 'settled' };
    };
    await bench.run();
    expect(bench.handedOut).toEqual(['a', 'b', 'c', 'a']);
    expect(atMs).toEqual([0, 5_000]);
  });

  it('a step that cools down during a wait does not make the loop look again and again until the wait is over', async () => {
    const bench = new Bench('a', 'b');
    bench.width = 1;
    const pause = latch();
    bench.wait = () => pause.opened;
    bench.work = (path, nth) => {
      if (nth > 1) return { kind: 'settled' };
      return path === 'a'
        ? { kind: 'again', delayMs: 700 }
        : { kind: 'wait', failure: failure('endpoint_unreachable') };
    };
    const running = bench.loop.run();
    await bench.clock.advance(700);
    expect(bench.clock.sleepers).toBe(0);
    pause.open();
    await bench.clock.run(running);
    expect(bench.handedOut).toEqual(['a', 'b', 'a', 'b']);
  });

  it('replan: not again in this wave, but in the next', async () => {
    const bench = new Bench('a', 'b');
    bench.work = (path, nth) => ({ kind: path === 'a' && nth === 1 ? 'replan' : 'settled' });
    await bench.run();
    expect(bench.handedOut).toEqual(['a', 'b']);
    await bench.run();
    expect(bench.handedOut).toEqual(['a', 'b', 'a']);
  });

  it('wait: nothing more is handed out until the pause is over, and many that fail together make one pause', async () => {
    const bench = new Bench('a', 'b', 'c', 'd');
    const pause = latch();
    bench.wait = () => pause.opened;
    bench.work = (_, nth) =>
      bench.handedOut.length <= 2 && nth === 1
        ? { kind: 'wait', failure: failure('endpoint_unreachable') }
        : { kind: 'settled' };
    const running = bench.loop.run();
    await settle();
    bench.loop.notify();
    await settle();
    expect(bench.handedOut).toEqual(['a', 'b']);
    expect(bench.parked).toEqual(['endpoint_unreachable']);
    pause.open();
    await running;
    expect(bench.handedOut.slice(2).sort()).toEqual(['a', 'b', 'c', 'd']);
    expect([bench.parked.length, bench.held.length]).toEqual([1, 0]);
  });

  it('wait in place: held, not parked', async () => {
    const bench = new Bench('a');
    bench.work = (_, nth) => (nth === 1 ? { kind: 'wait', failure: failure('rate_limited') } : { kind: 'settled' });
    await bench.run();
    expect([bench.parked, bench.held]).toEqual([[], ['rate_limited']]);
  });

  it('the gate is closed before the step lets go of it, and open when the wait is over', async () => {
    const bench = new Bench('a', 'b');
    bench.width = 1;
    const pause = latch();
    bench.wait = () => pause.opened;
    bench.work = (path, nth) =>
      path === 'a' && nth === 1 ? { kind: 'wait', failure: failure('rate_limited') } : { kind: 'settled' };
    const passing: Promise<void>[] = [];
    bench.handled = (path) => {
      if (path === 'a' && passing.length === 0) passing.push(bench.gate.pass(bench.stop.signal));
    };
    const running = bench.loop.run();
    await settle();
    expect(await isOver(Promise.all(passing))).toBe(false);
    pause.open();
    await running;
    await Promise.all(passing);
    expect(passing).toHaveLength(1);
  });

  it('a wait asked for from outside stops handing out too', async () => {
    const bench = new Bench();
    bench.isGrowing = true;
    const running = bench.loop.run();
    const pause = latch();
    bench.wait = () => pause.opened;
    const waiting = bench.loop.waitFor(failure('folder_permission'));
    bench.add('a');
    bench.loop.notify();
    await settle();
    expect([bench.handedOut, await isOver(waiting)]).toEqual([[], false]);
    pause.open();
    await waiting;
    bench.isGrowing = false;
    bench.loop.notify();
    await running;
    expect(bench.handedOut).toEqual(['a']);
  });
});

describe('the end', () => {
  it('an abort hands out nothing more, and rejects once what is out is back', async () => {
    const bench = new Bench('a', 'b', 'c');
    const gate = latch();
    bench.work = () => gate.opened.then(() => ({ kind: 'settled' as const }));
    const running = bench.loop.run();
    await settle();
    bench.stop.abort();
    expect(await isOver(running)).toBe(false);
    gate.open();
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    expect(bench.handedOut).toEqual(['a', 'b']);
  });

  it.each(['work', 'saved', 'wait'] as const)(
    'a defect in %s ends the run with it, and tells at once',
    async (where) => {
      const bench = new Bench('a', 'b', 'c');
      const [both, other] = [latch(), latch()];
      const defect = () => Promise.reject(new Error('refused'));
      bench.work = async (path) => {
        if (path === 'b') {
          both.open();
          await other.opened;
          return { kind: 'settled' };
        }
        await both.opened;
        if (where === 'work') return defect();
        return where === 'wait' ? { kind: 'wait', failure: failure('storage_full') } : { kind: 'settled' };
      };
      if (where === 'saved') bench.saved = (path) => (path === 'a' ? defect() : Promise.resolve());
      if (where === 'wait') bench.wait = defect;
      const running = bench.loop.run();
      running.catch(() => undefined);
      await settle();
      expect(bench.broke).toBe(1);
      expect(await isOver(running)).toBe(false);
      other.open();
      await expect(running).rejects.toThrow('refused');
      expect(bench.handedOut).not.toContain('c');
    },
  );

  it('pending steps that cannot be read for a moment are waited for', async () => {
    const bench = new Bench('a');
    const list = bench.list;
    let refusals = 2;
    bench.list = () => (refusals-- > 0 ? fail(failure('storage_unavailable')) : list());
    await bench.run();
    expect([bench.parked, bench.handedOut]).toEqual([['storage_unavailable', 'storage_unavailable'], ['a']]);
  });

  it('pending steps that no waiting makes readable end the run with the reason', async () => {
    const bench = new Bench('a');
    bench.list = () => fail(failure('row_unreadable'));
    const ended = await bench.run().catch((error: unknown) => error);
    expect(ended).toBeInstanceOf(FailureError);
    expect(ended).toMatchObject({ failure: { code: 'row_unreadable' } });
    expect(bench.broke).toBe(1);
  });
});
