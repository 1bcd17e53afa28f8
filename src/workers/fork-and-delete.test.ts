import { expect, it } from 'vitest';
import { taskId } from '../lib/core/ids';
import { ok } from '../lib/core/result';
import { fork } from '../lib/engine/fork';
import { EngineBench, TASK } from '../lib/testing/engine-bench';
import { FakeTabs, supervisorIn } from '../lib/testing/fake-tabs';
import { OwnerLife } from '../lib/testing/owner-life';
import { ArmedFaults } from './armed-faults';
import { taskCommands } from './task-commands';
import { expiredTasks, sweepExpired } from '../lib/storage/retention';
import { MemoryCheckpointStore } from '../lib/storage/checkpoint-store-memory';
import { MemoryProfileStore } from '../lib/storage/profile-store-memory';

const FORK = taskId('fedcba987654');

async function finished() {
  const store = new MemoryCheckpointStore();
  const bench = new EngineBench({ store });
  for (const name of ['a', 'b', 'c']) bench.folder.put(`${name}.txt`, `text ${name}`);
  await bench.createTask();
  await bench.run();
  const calls = bench.model.calls.length;
  const supervisor = supervisorIn(new FakeTabs().open(), bench.ports);
  /** The person makes a fork in another tab, between the look at the list and the deletion. */
  const forkAfterTheList = async () => {
    const tasks = store.tasks.bind(store);
    store.tasks = async () => {
      const listed = await tasks();
      store.tasks = tasks;
      const { seq } = await bench.task();
      await fork(bench.ports, { id: FORK, parent: TASK, seq });
      return listed;
    };
  };
  const goOn = async () => {
    await new OwnerLife(bench, undefined, FORK).live();
    return bench.model.calls.length - calls;
  };
  return { bench, store, supervisor, forkAfterTheList, goOn };
}

it('a task that is deleted while it is being forked is kept until the fork is whole', async () => {
  const { bench, store, supervisor, forkAfterTheList, goOn } = await finished();
  const commands = taskCommands({
    store,
    profiles: new MemoryProfileStore(),
    clock: bench.clock,
    supervisor,
    faults: new ArmedFaults(() => undefined),
    forgetFolders: () => Promise.resolve(),
    sampleName: 'sample',
  });
  await forkAfterTheList();
  await commands.deleteTask(TASK);
  expect(await goOn()).toBe(0);
});

it('the sweep leaves a task that was forked since it was listed', async () => {
  const { bench, store, supervisor, forkAfterTheList, goOn } = await finished();
  const nowMs = bench.clock.now() + 40 * 86_400_000;
  expect(expiredTasks([await bench.task()], 30, nowMs)).toHaveLength(1);
  await forkAfterTheList();
  const note = { lastMs: nowMs - 1, heldUntilMs: 0 };
  await sweepExpired({
    store,
    memory: { note: () => Promise.resolve(ok(note)), putNote: () => Promise.resolve(ok()) },
    exclusively: (id, work) => supervisor.exclusively(id, work),
    retentionDays: 30,
    nowMs,
  });
  expect(await goOn()).toBe(0);
});
