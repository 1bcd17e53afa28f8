import { expect, it } from 'vitest';
import { failure } from '../core/failure';
import { endpointId, type EndpointId } from '../core/ids';
import { fail, ok } from '../core/result';
import type { TaskStatus } from '../core/task';
import { EngineBench, TASK } from '../testing/engine-bench';
import { settle } from '../testing/fake-clock';
import { FakeTabs, supervisorIn } from '../testing/fake-tabs';
import { ScriptedModel } from '../testing/scripted-model';

const OTHER = endpointId('another');

/** A task that is to go on with two new files, and whose endpoint was deleted when it was finished. */
async function stranded() {
  const bench = new EngineBench();
  const put = (...names: string[]) => names.forEach((name) => bench.folder.put(`${name}.txt`, `text ${name}`));
  const other = new ScriptedModel();
  other.identity = 'openai/another';
  let isDeleted = false;
  bench.ports.models.open = (id: EndpointId) => {
    if (id === OTHER) return Promise.resolve(ok(other));
    return Promise.resolve(isDeleted ? fail(failure('endpoint_missing')) : ok(bench.model));
  };
  const until = async (status: TaskStatus) => {
    for (let turn = 0; turn < 500; turn += 1) {
      if ((await bench.task()).status === status) return;
      await settle();
    }
    throw new Error(`the task is ${JSON.stringify(await bench.task())}`);
  };
  put('a', 'b');
  bench.model.contextTokens = 2_048;
  await bench.createTask({ concurrency: 1 });
  const tabs = new FakeTabs();
  const [owner, watcher] = [supervisorIn(tabs.open(), bench.ports), supervisorIn(tabs.open(), bench.ports)];
  await owner.command(TASK, 'continue');
  await until('completed');
  isDeleted = true;
  put('c', 'd');
  await owner.command(TASK, 'continue');
  await until('paused');
  await watcher.watch();
  return { bench, other, owner, watcher, until };
}

it.each(['owner', 'watcher'] as const)(
  'a task whose endpoint is gone goes on with another, from what is finished, said in the tab of its %s',
  async (from) => {
    const { bench, other, until, ...tabs } = await stranded();
    expect(await bench.task()).toMatchObject({ reason: 'endpoint', failure: { code: 'endpoint_missing' } });
    const asked = bench.model.calls.length;
    expect(await tabs[from].setEndpoint(TASK, OTHER)).toEqual(ok());
    await until('completed');
    expect(await bench.task()).toMatchObject({ endpointId: OTHER, counts: { done: 4, failed: 0 }, failure: null });
    expect([bench.model.calls.length, other.fileCalls.length]).toEqual([asked, 2]);
  },
);

it('a task that is gone cannot be given one', async () => {
  const bench = new EngineBench();
  const supervisor = supervisorIn(new FakeTabs().open(), bench.ports);
  expect(await supervisor.setEndpoint(TASK, OTHER)).toMatchObject({ failure: { code: 'task_missing' } });
});
