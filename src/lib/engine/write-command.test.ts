import { expect, it } from 'vitest';
import { LEASE_MS } from '../core/lease';
import { EngineBench, TASK } from '../testing/engine-bench';
import { FakeClock, settle } from '../testing/fake-clock';
import { FakeTabs, supervisorIn } from '../testing/fake-tabs';
import { answer } from '../testing/scripted-model';

const stuck = () => new Promise<never>(() => undefined);

/** Its output was refused at the end of an earlier run; now it runs again, and the person allows writing in another tab. */
it.each(['continue', 'write_output'] as const)(
  'a task whose owner is gone goes on in the tab in which "%s" was clicked',
  async (command) => {
    const made = new EngineBench();
    made.folder.put('a.txt', 'a text');
    made.folder.isWritable = false;
    await made.createTask();
    await made.run();
    expect(await made.task()).toMatchObject({ status: 'completed', output: 'refused' });
    made.folder.isWritable = true;
    const tabs = new FakeTabs();
    const open = () => {
      const clock = new FakeClock();
      const tab = tabs.open();
      return { clock, tab, supervisor: supervisorIn(tab, { ...made.ports, clock }) };
    };
    const [owner, watcher] = [open(), open()];
    made.folder.put('b.txt', 'another text');
    made.model.script(stuck);
    await owner.supervisor.command(TASK, 'continue');
    while (made.model.inFlight < 1) await settle();
    await watcher.supervisor.command(TASK, command);
    owner.tab.freeze();
    made.model.script(({ matter }) => answer(matter));
    for (let passedMs = 0; passedMs < LEASE_MS + 60_000; passedMs += 1_000) await watcher.clock.advance(1_000);
    expect(await made.task()).toMatchObject({ status: 'completed', counts: { done: 2 } });
  },
);
