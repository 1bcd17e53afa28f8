import { expect, it } from 'vitest';
import type { EffectAnswer, EffectRow } from '../../core/effect';
import { mergeDrafts } from '../../core/commit';
import type { TaskRow } from '../../core/task';
import { EngineBench, TASK } from '../../testing/engine-bench';
import { settle } from '../../testing/fake-clock';
import { FakeTabs, supervisorIn } from '../../testing/fake-tabs';
import { sampleEffect } from '../../testing/sample-rows';

const REPORT = 'notes-012345/report.md';

const newTab = ({ ports }: EngineBench, tabs: FakeTabs) => supervisorIn(tabs.open(), ports);

async function bench() {
  const made = new EngineBench();
  made.folder.put('a.txt', 'a text');
  await made.createTask();
  const tabs = new FakeTabs();
  const tab = () => newTab(made, tabs);
  const until = async (wanted: Partial<TaskRow>): Promise<TaskRow> => {
    for (let turn = 0; turn < 500; turn += 1) {
      const task = await made.task();
      if (Object.entries(wanted).every(([field, value]) => task[field as keyof TaskRow] === value)) return task;
      await settle();
    }
    throw new Error(`the task is ${JSON.stringify(await made.task())}`);
  };
  const waiting = async (state: EffectRow['state']) => {
    const rows = await made.store.effectsInState(TASK, state, 9);
    if (!rows.ok) throw new Error(rows.failure.code);
    return rows.value.map(({ key, seq }) => ({ key, seq }));
  };
  return { made, tab, until, waiting };
}

it.each([
  ['overwrite', false],
  ['keep', true],
] as const)('%s settles a finished task whose report was edited', async (answer, isKept) => {
  const { made, tab, until, waiting } = await bench();
  const supervisor = tab();
  await supervisor.command(TASK, 'continue');
  await until({ output: 'written' });
  made.folder.put('a.txt', 'another text').written.set(REPORT, 'mine');
  await supervisor.command(TASK, 'continue');
  await until({ output: 'waiting' });
  await supervisor.answer(TASK, { questions: await waiting('contested'), answer });
  await until({ output: 'written' });
  expect(made.folder.written.get(REPORT)).toBe(isKept ? 'mine' : await made.report());
});

/** A request that the last owner was about to make, or made. */
async function withPost() {
  const made = await bench();
  const row = await made.made.task();
  const effect = sampleEffect('post', { taskId: TASK, kind: 'fake_post', target: '/orders' });
  await made.made.store.commit({
    ...mergeDrafts([{ effects: [effect] }]),
    taskId: TASK,
    epoch: row.epoch,
    atMs: 0,
  });
  return made;
}

const ANSWERS: readonly (readonly [EffectAnswer, EffectRow['state']])[] = [
  ['sent', 'done'],
  ['again', 'approved'],
  ['skip', 'abandoned'],
];

it.each(ANSWERS)('%s lets a task go on that stopped for what may have been sent', async (answer, state) => {
  const { tab, until, waiting } = await withPost();
  const supervisor = tab();
  await supervisor.command(TASK, 'continue');
  const paused = await until({ status: 'paused', reason: 'approval' });
  expect(paused.failure).toMatchObject({ code: 'effect_in_doubt', details: { target: '/orders' } });
  await supervisor.command(TASK, 'continue');
  // Said once more, since to go on is no answer.
  await until({ seq: paused.seq + 2, status: 'paused', reason: 'approval' });
  await supervisor.answer(TASK, { questions: await waiting('in_doubt'), answer });
  await until({ status: 'completed' });
  expect(await waiting(state)).toHaveLength(state === 'done' ? 4 : 1);
});

it('an answer reaches the tab that owns the task, and one that is there after a restart goes on with it', async () => {
  for (const from of ['another tab', 'a new start'] as const) {
    const { made, tab, until, waiting } = await withPost();
    const owner = tab();
    await owner.command(TASK, 'continue');
    await until({ status: 'paused', reason: 'approval' });
    const questions = await waiting('in_doubt');
    const other = from === 'another tab' ? tab() : newTab(made, new FakeTabs());
    await other.answer(TASK, { questions, answer: 'skip' });
    await until({ status: 'completed' });
    expect(await waiting('in_doubt')).toEqual([]);
  }
});

it('a task that is not there takes no answer', async () => {
  const { made } = await bench();
  await made.store.removeTask(TASK);
  const answered = await newTab(made, new FakeTabs()).answer(TASK, {
    questions: [],
    answer: 'keep',
  });
  expect(!answered.ok && answered.failure.code).toBe('task_missing');
});
