import { describe, expect, it } from 'vitest';
import { failure } from '../core/failure';
import { BEAT_EVERY_MS, LEASE_MS } from '../core/lease';
import type { CheckpointStore } from '../core/ports';
import { fail } from '../core/result';
import type { TaskStatus } from '../core/task';
import { EngineBench, TASK } from '../testing/engine-bench';
import { FakeClock, settle } from '../testing/fake-clock';
import { FakeTabs, supervisorIn } from '../testing/fake-tabs';
import { answer } from '../testing/scripted-model';
import type { EnginePorts } from './engine-ports';

const stuck = () => new Promise<never>(() => undefined);
/** Shorter than the shortest time between two looks. */
const STEP_MS = 1_000;
const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** Tabs with clocks of their own: one whose clock stands still is frozen. */
async function bench(files = 6) {
  const made = new EngineBench();
  for (let n = 0; n < files; n += 1) made.folder.put(`f_${String(n)}.txt`, `text number ${String(n)}`);
  await made.createTask();
  const tabs = new FakeTabs();
  const open = (overrides: Partial<EnginePorts> = {}) => {
    const clock = new FakeClock();
    const tab = tabs.open();
    return { clock, tab, supervisor: supervisorIn(tab, { ...made.ports, clock, ...overrides }) };
  };
  const until = async (status: TaskStatus) => {
    for (let turn = 0; turn < 500; turn += 1) {
      const task = await made.task();
      if (task.status === status) return task;
      await settle();
    }
    throw new Error(`the task is ${JSON.stringify(await made.task())}`);
  };
  /** An owner with four requests out, that nobody answers. */
  const openStuck = async (overrides: Partial<EnginePorts> = {}) => {
    made.model.script(stuck);
    const owner = open(overrides);
    await owner.supervisor.command(TASK, 'continue');
    while (made.model.inFlight < 4) await settle();
    return owner;
  };
  return { made, open, openStuck, until };
}

/** Time passes in all these tabs at once, in small steps. */
async function pass(byMs: number, ...tabs: readonly { readonly clock: FakeClock }[]): Promise<void> {
  for (let passedMs = 0; passedMs < byMs; passedMs += STEP_MS) {
    await Promise.all(tabs.map(({ clock }) => clock.advance(STEP_MS)));
  }
}

function refusing(store: CheckpointStore, methods: Partial<CheckpointStore>): CheckpointStore {
  return new Proxy(store, {
    get: (target, name) => {
      const own: unknown = Reflect.get(methods, name);
      if (own !== undefined) return own;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

describe('an owner that is frozen', () => {
  it('LIF-04, seed defect 25: is stolen from within the lease; thawed it is fenced, writes nothing and stands in line again', async () => {
    const { made, open, openStuck, until } = await bench();
    const owner = await openStuck();
    const other = open();
    await other.supervisor.watch();
    owner.tab.freeze();
    made.model.script(({ matter }) => answer(matter));
    await pass(LEASE_MS - 1_000, other);
    expect((await made.task()).epoch).toBe(1);
    await pass(6_000, other);
    const done = await until('completed');
    expect(done).toMatchObject({ epoch: 2, counts: { done: 6, failed: 0 } });
    const { seq } = await made.task();
    const calls = made.model.calls.length;
    owner.tab.thaw();
    await pass(LEASE_MS, owner, other);
    expect(await made.task()).toMatchObject({ epoch: 2, seq });
    expect(made.model.calls).toHaveLength(calls);
    expect(made.model.inFlight).toBe(0);
    // Ours again when the person asks for it there.
    made.folder.put('f_0.txt', 'another text');
    await owner.supervisor.command(TASK, 'continue');
    while ((await made.task()).epoch < 3) await settle();
    await until('completed');
  });

  it('is ended by its own next beat where the browser does not tell it that its lock is gone', async () => {
    const { made, open, openStuck, until } = await bench();
    const owner = await openStuck();
    const other = open();
    await other.supervisor.watch();
    owner.tab.freeze();
    made.model.script(({ matter }) => answer(matter));
    await pass(LEASE_MS + 5_000, other);
    await until('completed');
    expect(made.model.inFlight).toBe(4);
    await pass(BEAT_EVERY_MS, owner);
    expect(made.model.inFlight).toBe(0);
  });

  it('a pause pressed in another tab is carried out once the task could be taken from it', async () => {
    const { open, openStuck, until } = await bench();
    const owner = await openStuck();
    owner.tab.freeze();
    const other = open();
    await other.supervisor.command(TASK, 'pause');
    await pass(LEASE_MS + 5_000, other);
    expect(await until('paused')).toMatchObject({ reason: 'user', epoch: 2 });
  });

  it('a task is deleted, though the tab that owns it is frozen', async () => {
    const { made, open, openStuck } = await bench();
    const owner = await openStuck();
    owner.tab.freeze();
    const other = open();
    const removed = other.supervisor.exclusively(TASK, () => made.store.removeTask(TASK));
    await pass(LEASE_MS + 5_000, other);
    expect((await removed).ok).toBe(true);
    owner.tab.thaw();
    await pass(BEAT_EVERY_MS, owner);
    expect(made.model.inFlight).toBe(0);
  });

  it.each([
    ['each at its own moment: one steals', (n: number) => n / 8, 1],
    ['all at the same moment: one of them is left', () => 0.5, 7],
  ])('seven onlookers, %s, and what it asks is asked on', async (_how, randomOf, thefts) => {
    const { made, open, openStuck } = await bench(12);
    const owner = await openStuck();
    const others = Array.from({ length: 7 }, (_, n) => open({ random: () => randomOf(n) }));
    await Promise.all(others.map(({ supervisor }) => supervisor.watch()));
    owner.tab.freeze();
    await pass(LEASE_MS + 6_000, ...others);
    while (made.model.inFlight < 8) await settle();
    const { epoch } = await made.task();
    expect(epoch).toBeLessThanOrEqual(1 + thefts);
    const calls = made.model.calls.length;
    await pass(60_000, ...others);
    expect((await made.task()).epoch).toBe(epoch);
    expect(made.model.calls).toHaveLength(calls);
    // Four of the frozen owner, four of the new one: the others' were given up.
    expect(made.model.inFlight).toBe(8);
  });
});

describe('an owner that lives', () => {
  it('is not stolen from while it waits for one long answer', async () => {
    const { made, open, openStuck } = await bench();
    const owner = await openStuck();
    const other = open();
    await other.supervisor.watch();
    await pass(60_000, owner, other);
    expect((await made.task()).epoch).toBe(1);
  });

  it.each([
    ['refuses', () => Promise.resolve(fail(failure('storage_full')))],
    ['never answers', stuck],
  ])('is not stolen from while storage %s for a minute', async (_how, beat) => {
    const { made, open, openStuck } = await bench();
    const owner = await openStuck({ store: refusing(made.store, { beat }) });
    const other = open();
    await other.supervisor.watch();
    await pass(60_000, owner, other);
    expect((await made.task()).epoch).toBe(1);
  });

  it('nobody is stolen from by an onlooker that cannot read', async () => {
    const { made, open, openStuck } = await bench();
    const owner = await openStuck();
    owner.tab.freeze();
    const lease = () => Promise.resolve(fail(failure('storage_closed')));
    const other = open({ store: refusing(made.store, { lease }) });
    await other.supervisor.watch();
    await pass(60_000, other);
    expect((await made.task()).epoch).toBe(1);
  });

  it('is not stolen from after both have slept', async () => {
    const { made, open, openStuck } = await bench();
    const owner = await openStuck();
    const other = open();
    await other.supervisor.watch();
    await pass(12_000, owner, other);
    for (const { clock } of [owner, other]) clock.freeze(8 * HOUR_MS);
    await pass(12_000, other);
    await pass(60_000, owner, other);
    expect((await made.task()).epoch).toBe(1);
  });

  it('is not stolen from while it deletes', async () => {
    const { made, open } = await bench();
    const [deleter, other] = [open(), open()];
    let finish = () => undefined as void;
    const removing = deleter.supervisor.exclusively(TASK, () => new Promise<void>((resolve) => (finish = resolve)));
    await other.supervisor.watch();
    await pass(60_000, deleter, other);
    expect(made.model.calls).toHaveLength(0);
    finish();
    await removing;
  });

  it.each([
    ['3 h ahead', 3 * HOUR_MS],
    ['3 h back', -3 * HOUR_MS],
    ['8 days ahead', 8 * DAY_MS],
  ])('LIF-03: a wall clock set %s in mid run ends no lease and makes no time negative', async (_how, byMs) => {
    const { made, open, openStuck, until } = await bench();
    const owner = await openStuck();
    const other = open();
    await other.supervisor.watch();
    await pass(10_000, owner, other);
    for (const { clock } of [owner, other]) clock.jumpWall(byMs);
    await pass(60_000, owner, other);
    expect((await made.task()).epoch).toBe(1);
    made.model.script(({ matter }) => answer(matter));
    await owner.supervisor.command(TASK, 'pause');
    await until('paused');
    await owner.supervisor.command(TASK, 'continue');
    const done = await until('completed');
    expect(done.activeMs).toBeGreaterThanOrEqual(70_000);
    expect(done.activeMs).toBeLessThan(80_000);
    for (const step of await made.files()) expect(step.durationMs).toBeGreaterThanOrEqual(0);
  });
});
