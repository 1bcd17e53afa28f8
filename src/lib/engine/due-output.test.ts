import { expect, it } from 'vitest';
import { failure } from '../core/failure';
import { fail } from '../core/result';
import { EngineBench, TASK } from '../testing/engine-bench';
import { settle } from '../testing/fake-clock';
import { FakeTabs, supervisorIn } from '../testing/fake-tabs';

async function bench() {
  const made = new EngineBench();
  made.folder.put('a.txt', 'a text');
  await made.createTask();
  const supervisor = supervisorIn(new FakeTabs().open(), made.ports);
  const letPass = async (isOver: () => Promise<boolean>) => {
    for (let turn = 0; turn < 200 && !(await isOver()); turn += 1) {
      await settle();
      made.clock.step();
    }
  };
  return { made, supervisor, letPass };
}

it.each(['continue', 'pause'] as const)(
  '%s pressed in the moment in which the task is completed does not leave its output unwritten',
  async (command) => {
    const { made, supervisor, letPass } = await bench();
    const write = made.folder.write.bind(made.folder);
    let release = () => undefined as void;
    const gate = new Promise<void>((resolve) => (release = resolve));
    made.folder.write = async (path, content) => {
      await gate;
      return write(path, content);
    };
    await supervisor.command(TASK, 'continue');
    await letPass(async () => (await made.task()).status === 'completed');
    await supervisor.command(TASK, command);
    release();
    await letPass(async () => (await made.task()).output === 'written');
    expect(await made.task()).toMatchObject({ status: 'completed', output: 'written' });
  },
);

it('output that is due is written although storage did not answer once', async () => {
  const { made, supervisor, letPass } = await bench();
  made.folder.isWritable = false;
  await supervisor.command(TASK, 'continue');
  await letPass(async () => (await made.task()).output === 'refused');
  await settle();
  made.folder.isWritable = true;
  const read = made.store.result.bind(made.store);
  let reads = 0;
  made.store.result = (key) => ((reads += 1) === 1 ? Promise.resolve(fail(failure('storage_closed'))) : read(key));
  await supervisor.command(TASK, 'write_output');
  await letPass(async () => (await made.task()).output === 'written');
  expect((await made.task()).output).toBe('written');
});
