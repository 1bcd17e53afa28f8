import { describe, expect, it } from 'vitest';
import { failure } from '../core/failure';
import { fail, ok } from '../core/result';
import type { TaskStatus } from '../core/task';
import { EngineBench, TASK } from '../testing/engine-bench';
import { settle } from '../testing/fake-clock';
import { FakeTabs, supervisorIn } from '../testing/fake-tabs';
import { answer } from '../testing/scripted-model';

async function bench(files = 6) {
  const made = new EngineBench();
  for (let n = 0; n < files; n += 1) made.folder.put(`f_${String(n)}.txt`, `text number ${String(n)}`);
  await made.createTask();
  const tabs = new FakeTabs();
  const tab = () => supervisorIn(tabs.open(), made.ports);
  const until = async (status: TaskStatus, reason?: string) => {
    for (;;) {
      const task = await made.task();
      if (task.status === status && (reason === undefined || task.reason === reason)) return task;
      await settle();
    }
  };
  return { made, tab, until };
}

describe('ownership over tabs', () => {
  it('RES-09, seed defect 25: eight tabs press continue at once and each file is asked about once', async () => {
    const { made, tab, until } = await bench(20);
    const tabs = Array.from({ length: 8 }, tab);
    await Promise.all(tabs.map((each) => each.command(TASK, 'continue')));
    await until('completed');
    await settle();
    expect(made.model.fileCalls).toHaveLength(20);
    expect((await made.task()).epoch).toBe(1);
  });

  it('a watching tab does not run a finished task again', async () => {
    const { made, tab, until } = await bench();
    const [first, second] = [tab(), tab()];
    await first.command(TASK, 'continue');
    await second.watch();
    await until('completed');
    await settle();
    expect((await made.task()).epoch).toBe(1);
  });

  it('pause and continue pressed in a tab that only watches reach the owner', async () => {
    const { made, tab, until } = await bench();
    made.model.script(() => new Promise<never>(() => undefined));
    const [owner, watcher] = [tab(), tab()];
    await owner.command(TASK, 'continue');
    while (made.model.inFlight < 4) await settle();
    await watcher.command(TASK, 'pause');
    await until('paused', 'user');
    made.model.script(({ matter }) => answer(matter));
    await watcher.command(TASK, 'continue');
    const done = await until('completed');
    expect(done.counts.done).toBe(6);
  });

  it('pauses and cancels a task that nobody runs', async () => {
    const { made, tab, until } = await bench();
    await tab().command(TASK, 'pause');
    await until('paused', 'user');
    await tab().command(TASK, 'cancel');
    await until('cancelled');
    expect(made.model.calls).toHaveLength(0);
  });

  it('continue pressed while the pause is still under way is not lost', async () => {
    const { made, tab, until } = await bench();
    made.model.script(() => new Promise<never>(() => undefined));
    const owner = tab();
    await owner.command(TASK, 'continue');
    while (made.model.inFlight < 4) await settle();
    made.model.script(({ matter }) => answer(matter));
    await Promise.all([owner.command(TASK, 'pause'), owner.command(TASK, 'continue')]);
    await until('completed');
  });

  it('continue on a finished task plans anew and asks only about what changed', async () => {
    const { made, tab, until } = await bench();
    const owner = tab();
    await owner.command(TASK, 'continue');
    await until('completed');
    await settle();
    const asked = made.model.fileCalls.length;
    made.folder.put('f_2.txt', 'another text');
    await owner.command(TASK, 'continue');
    while ((await made.task()).epoch < 2) await settle();
    await until('completed');
    expect(made.model.fileCalls.length - asked).toBe(1);
  });

  it('wakes a task parked in another tab', async () => {
    const { made, tab, until } = await bench();
    let isUp = false;
    const unreachable = () => fail(failure('endpoint_unreachable'));
    made.model.isReachable = () => (isUp ? ok() : unreachable());
    made.model.script(({ matter }) => (isUp ? answer(matter) : unreachable()));
    await tab().command(TASK, 'continue');
    await until('paused', 'endpoint');
    isUp = true;
    tab().wake();
    await until('completed');
    expect(made.clock.monotonicMs()).toBe(0);
  });

  it('seed defect 5: output that a kill left unwritten is written on the next start', async () => {
    const { made, tab, until } = await bench();
    const whole = made.folder.write.bind(made.folder);
    made.folder.write = () => new Promise<never>(() => undefined);
    await tab().command(TASK, 'continue');
    await until('completed');
    expect((await made.task()).output).toBe('due');
    made.folder.write = whole;
    // The killed tab's locks are gone with it.
    await supervisorIn(new FakeTabs().open(), made.ports).watch();
    while ((await made.task()).output !== 'written') await settle();
    expect([...made.folder.written.keys()].some((path) => path.endsWith('/report.md'))).toBe(true);
  });

  it('task_missing for a task that is not there', async () => {
    const { made, tab } = await bench();
    await made.store.removeTask(TASK);
    expect(await tab().command(TASK, 'continue')).toMatchObject({ ok: false, failure: { code: 'task_missing' } });
  });
});
