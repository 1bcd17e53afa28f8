import { expect, it } from 'vitest';
import { failure } from '../core/failure';
import { fail, ok } from '../core/result';
import { EngineBench, TASK } from '../testing/engine-bench';
import { settle } from '../testing/fake-clock';
import { FakeTabs, supervisorIn } from '../testing/fake-tabs';
import { answer } from '../testing/scripted-model';

const stuck = () => new Promise<never>(() => undefined);

async function running() {
  const made = new EngineBench();
  for (const name of ['a', 'b']) made.folder.put(`${name}.txt`, `text ${name}`);
  await made.createTask();
  const tabs = new FakeTabs();
  const [owner, other] = [supervisorIn(tabs.open(), made.ports), supervisorIn(tabs.open(), made.ports)];
  made.model.script(stuck);
  await owner.command(TASK, 'continue');
  while (made.model.inFlight < 2) await settle();
  made.model.script(({ matter }) => answer(matter));
  const status = async () => {
    for (let turn = 0; turn < 100 && (await made.task()).status !== 'completed'; turn += 1) {
      await settle();
      made.clock.step();
    }
    return (await made.task()).status;
  };
  return { made, owner, other, status };
}

it('a task goes on when the sweep that had it released finds that it is at work again', async () => {
  const { other, status } = await running();
  // What `sweepExpired` does with a task that the person has set going since it was listed.
  await other.exclusively(TASK, () => Promise.resolve(ok(null)));
  expect(await status()).toBe('completed');
});

it.each(['owner', 'other'] as const)(
  'a task goes on when deleting it failed, asked for in the tab: %s',
  async (tab) => {
    const bench = await running();
    const removed = await bench[tab].exclusively(TASK, () => Promise.resolve(fail(failure('storage_full'))));
    expect(removed.ok).toBe(false);
    expect(await bench.status()).toBe('completed');
  },
);
