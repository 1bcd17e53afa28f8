import { expect, it } from 'vitest';
import type { TaskRow } from '../../core/task';
import { EngineBench, TASK } from '../../testing/engine-bench';
import { settle } from '../../testing/fake-clock';
import { FakeTabs, supervisorIn } from '../../testing/fake-tabs';
import { answer } from '../../testing/scripted-model';

const REPORT = 'notes-012345/report.md';

/** ADR 26: overwriting is allowed for the content that they were shown the question about; an edit after that asks again. */
it.each(['the owner', 'another tab'])('an answer given in %s is not taken for one to a later edit', async (where) => {
  const made = new EngineBench();
  made.folder.put('a.txt', 'a text');
  await made.createTask();
  const tabs = new FakeTabs();
  const [owner, watcher] = [supervisorIn(tabs.open(), made.ports), supervisorIn(tabs.open(), made.ports)];
  const until = async (wanted: Partial<TaskRow>): Promise<void> => {
    for (let turn = 0; turn < 500; turn += 1) {
      const task = await made.task();
      if (Object.entries(wanted).every(([field, value]) => task[field as keyof TaskRow] === value)) return;
      await settle();
    }
    throw new Error(`the task is ${JSON.stringify(await made.task())}`);
  };
  await owner.command(TASK, 'continue');
  await until({ output: 'written' });
  // Another answer for the changed file makes another report; meanwhile the person has edited the old one.
  made.folder.put('a.txt', 'another text').written.set(REPORT, 'first edit');
  await owner.command(TASK, 'continue');
  await until({ output: 'waiting' });
  const asked = await made.store.effectsInState(TASK, 'contested', 9);
  const questions = asked.ok ? asked.value : [];
  expect(questions).toHaveLength(1);
  // The task runs again in one tab, with the same outcome, and the person answers in the other.
  let release = () => undefined as void;
  const gate = new Promise<void>((resolve) => (release = resolve));
  made.folder.put('b.txt', '');
  made.model.script(async ({ matter }) => {
    await gate;
    return answer(`About: ${matter.slice(0, 60)}`);
  });
  const open = made.folder.walk.bind(made.folder);
  made.folder.walk = async function* (signal) {
    await gate;
    yield* open(signal);
  };
  made.folder.remove('b.txt');
  await owner.command(TASK, 'continue');
  await until({ status: 'running' });
  await (where === 'the owner' ? owner : watcher).answer(TASK, { questions, answer: 'overwrite' });
  await settle();
  const approved = await made.store.effectsInState(TASK, 'approved', 9);
  expect(approved.ok && approved.value).toHaveLength(1);
  // Before it is written over, the person saves the file once more.
  made.folder.written.set(REPORT, 'second edit, never asked about');
  release();
  await until({ status: 'completed' });
  for (let turn = 0; turn < 30; turn += 1) await settle();
  expect(made.folder.written.get(REPORT)).toBe('second edit, never asked about');
});
