import { describe, expect, it } from 'vitest';
import { mergeDrafts } from '../core/commit';
import type { Endings } from '../core/endings';
import { LEASE_MS } from '../core/lease';
import type { TaskRow } from '../core/task';
import { EngineBench, TASK } from '../testing/engine-bench';
import { FakeClock, settle } from '../testing/fake-clock';
import { FakeTabs, supervisorIn } from '../testing/fake-tabs';
import { sampleEffect } from '../testing/sample-rows';
import { answer } from '../testing/scripted-model';

const stuck = () => new Promise<never>(() => undefined);
const HOUR_MS = 3_600_000;

async function bench() {
  const made = new EngineBench();
  for (let n = 0; n < 4; n += 1) made.folder.put(`f_${String(n)}.txt`, `text number ${String(n)}`);
  await made.createTask();
  const until = async (wanted: Partial<TaskRow>) => {
    for (let turn = 0; turn < 500; turn += 1) {
      const task = await made.task();
      if (Object.entries(wanted).every(([field, value]) => task[field as keyof TaskRow] === value)) return task;
      await settle();
    }
    throw new Error(`the task is ${JSON.stringify(await made.task())}`);
  };
  return { made, until };
}

describe('a defect outside a run', () => {
  it('pauses the task as one inside would, and leaves it to nobody for ever', async () => {
    const { made, until } = await bench();
    const own = made.store.own.bind(made.store);
    let isBroken = true;
    made.store.own = (...given) => {
      if (!isBroken) return own(...given);
      isBroken = false;
      return Promise.reject(new TypeError('a defect'));
    };
    await supervisorIn(new FakeTabs().open(), made.ports).command(TASK, 'continue');
    expect(await until({ status: 'paused' })).toMatchObject({ reason: 'attention', failure: { code: 'unexpected' } });
  });
});

describe('a change of a task that nobody runs', () => {
  it.each(['width', 'pause', 'width of a paused task'] as const)(
    '%s: the requests of an owner whose page was left come under no suspicion for it',
    async (change) => {
      const { made, until } = await bench();
      made.model.script(stuck);
      await supervisorIn(new FakeTabs().open(), made.ports).command(TASK, 'continue');
      while (made.model.inFlight < 4) await settle();
      const { updatedMs, epoch } = await made.task();
      if (change === 'width of a paused task') {
        const task = { status: 'paused', reason: 'attention' } as const;
        await made.store.commit({ ...mergeDrafts([{ task }]), taskId: TASK, epoch, atMs: updatedMs });
      }
      // The page is left, and all its locks are gone. The next one is opened an hour later.
      const endings = (): Endings => ({ leftMs: updatedMs, diedMs: null });
      const clock = new FakeClock(updatedMs + HOUR_MS);
      const next = supervisorIn(new FakeTabs().open(), { ...made.ports, clock, endings });
      if (change === 'pause') {
        await next.command(TASK, 'pause');
        await until({ status: 'paused', reason: 'user' });
      } else {
        await next.setConcurrency(TASK, 3);
        while ((await made.task()).options.concurrency !== 3) await settle();
      }
      await settle();
      if (change !== 'width') await next.command(TASK, 'continue');
      while ((await made.task()).plan.state !== 'done') await settle();
      const files = await made.files();
      expect(files.map(({ suspicion }) => suspicion ?? null)).toEqual([null, null, null, null]);
      expect(files.every(({ history }) => history.some(({ outcome }) => outcome === 'interrupted'))).toBe(true);
    },
  );
});

describe('"continue" that is heard late', () => {
  it.each(['the owner', 'another tab'] as const)(
    'said of a paused task in %s, and heard when it is just completed, does not run it once more',
    async (where) => {
      const { made, until } = await bench();
      const { epoch } = await made.task();
      const task = { status: 'paused', reason: 'user' } as const;
      await made.store.commit({ ...mergeDrafts([{ task }]), taskId: TASK, epoch, atMs: 0 });
      const tabs = new FakeTabs();
      const [owner, watcher] = [supervisorIn(tabs.open(), made.ports), supervisorIn(tabs.open(), made.ports)];
      // As long as its journal is made smaller, the owner holds the task that it has completed.
      let letGo = () => undefined as void;
      const gate = new Promise<void>((resolve) => (letGo = resolve));
      made.store.release = () => gate;
      // What a slow tab has seen is old by the time it speaks.
      const read = made.store.task.bind(made.store);
      let speak = () => undefined as void;
      const slow = new Promise<void>((resolve) => (speak = resolve));
      made.store.task = async (id) => {
        made.store.task = read;
        const seen = await read(id);
        await slow;
        return seen;
      };
      const said = (where === 'the owner' ? owner : watcher).command(TASK, 'continue');
      await owner.command(TASK, 'continue');
      await until({ output: 'written' });
      await settle();
      speak();
      await said;
      letGo();
      for (let turn = 0; turn < 50; turn += 1) await settle();
      expect(await made.task()).toMatchObject({ status: 'completed', epoch: epoch + 1 });
    },
  );
});

describe('"continue" of what the page showed', () => {
  it.each([
    ['paused', 1],
    ['completed', 2],
  ] as const)('%s runs a task that is completed by now to epoch %s', async (status, runs) => {
    const { made, until } = await bench();
    const supervisor = supervisorIn(new FakeTabs().open(), made.ports);
    await supervisor.command(TASK, 'continue');
    const { epoch } = await until({ output: 'written' });
    await settle();
    const shown = status === 'paused' ? { status, epoch: epoch - 1 } : { status, epoch };
    await supervisor.command(TASK, 'continue', shown);
    for (let turn = 0; turn < 50; turn += 1) await settle();
    expect((await made.task()).epoch).toBe(runs);
  });
});

describe('while the holder takes the task', () => {
  it('a pause that comes while storage keeps it waiting is honoured at once', async () => {
    const { made, until } = await bench();
    const own = made.store.own.bind(made.store);
    let release = () => undefined as void;
    const gate = new Promise<void>((resolve) => (release = resolve));
    made.store.own = async (...given) => {
      await gate;
      return own(...given);
    };
    const supervisor = supervisorIn(new FakeTabs().open(), made.ports);
    await supervisor.setConcurrency(TASK, 7);
    await settle();
    await supervisor.command(TASK, 'pause');
    release();
    expect(await until({ status: 'paused' })).toMatchObject({ reason: 'user', options: { concurrency: 7 } });
    expect(made.model.calls).toHaveLength(0);
  });
});

/** A task that waits for the person in one tab, which another one watches. */
async function inDoubt() {
  const { made, until } = await bench();
  const { epoch } = await made.task();
  const effect = sampleEffect('post', { taskId: TASK, kind: 'fake_post', target: '/orders' });
  await made.store.commit({ ...mergeDrafts([{ effects: [effect] }]), taskId: TASK, epoch, atMs: 0 });
  const tabs = new FakeTabs();
  const open = () => {
    const clock = new FakeClock();
    const tab = tabs.open();
    return { clock, tab, supervisor: supervisorIn(tab, { ...made.ports, clock }) };
  };
  const [owner, watcher] = [open(), open()];
  await owner.supervisor.command(TASK, 'continue');
  const paused = await until({ status: 'paused', reason: 'approval' });
  const waiting = async () => {
    const rows = await made.store.effectsInState(TASK, 'in_doubt', 9);
    return rows.ok ? rows.value.map(({ key, seq }) => ({ key, seq })) : [];
  };
  const freezeOwner = async () => {
    owner.tab.freeze();
    for (let passedMs = 0; passedMs < LEASE_MS + 6_000; passedMs += 1_000) await watcher.clock.advance(1_000);
    for (let turn = 0; turn < 50; turn += 1) await settle();
  };
  return { made, owner, watcher, paused, until, waiting, freezeOwner };
}

describe('a question', () => {
  it('"continue", asked for in a tab that watches and carried out by the owner, is not carried out again by the next', async () => {
    const { made, watcher, paused, until, freezeOwner } = await inDoubt();
    await watcher.supervisor.command(TASK, 'continue');
    // To go on is no answer: the question is asked again.
    await until({ seq: paused.seq + 2, status: 'paused', reason: 'approval' });
    await freezeOwner();
    expect(await made.task()).toMatchObject({ status: 'paused', reason: 'approval', epoch: paused.epoch });
  });

  it.each(['the owner', 'another tab'] as const)(
    'that was asked anew is not answered by what was said before, in %s',
    async (where) => {
      const { made, owner, watcher, waiting } = await inDoubt();
      const [question] = await waiting();
      if (!question) throw new Error('nothing is asked');
      const asked = { ...question, seq: question.seq - 1 };
      const { supervisor } = where === 'the owner' ? owner : watcher;
      expect(await supervisor.answer(TASK, { questions: [asked], answer: 'again' })).toMatchObject({ ok: true });
      for (let turn = 0; turn < 50; turn += 1) await settle();
      expect(await waiting()).toEqual([question]);
      expect(made.model.calls).toHaveLength(0);
    },
  );

  it('answered while the next owner takes the task is settled by it', async () => {
    const { made, owner, watcher, until, waiting, freezeOwner } = await inDoubt();
    const questions = await waiting();
    made.model.script(({ matter }) => answer(matter));
    const own = made.store.own.bind(made.store);
    let release = () => undefined as void;
    const gate = new Promise<void>((resolve) => (release = resolve));
    made.store.own = async (...given) => {
      await gate;
      return own(...given);
    };
    owner.tab.freeze();
    await watcher.supervisor.command(TASK, 'continue');
    await freezeOwner();
    await watcher.supervisor.answer(TASK, { questions, answer: 'skip' });
    release();
    await until({ status: 'completed' });
    expect(await waiting()).toEqual([]);
  });
});
