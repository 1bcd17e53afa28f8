import { expect, it } from 'vitest';
import { failure } from '../core/failure';
import { fail } from '../core/result';
import { EngineBench, TASK } from '../testing/engine-bench';
import { settle } from '../testing/fake-clock';
import { FakeTabs, supervisorIn } from '../testing/fake-tabs';
import { answer } from '../testing/scripted-model';
import { LEASE_MS } from '../core/lease';
import { FakeClock } from '../testing/fake-clock';

const stuck = () => new Promise<never>(() => undefined);

async function bench() {
  const made = new EngineBench();
  for (let n = 0; n < 4; n += 1) made.folder.put(`f_${String(n)}.txt`, `text number ${String(n)}`);
  await made.createTask();
  const tabs = new FakeTabs();
  const open = () => {
    const clock = new FakeClock();
    const tab = tabs.open();
    return { clock, tab, supervisor: supervisorIn(tab, { ...made.ports, clock }) };
  };
  const [owner, watcher] = [open(), open()];
  /** The owner's tab is frozen for good; the watcher takes the task over. */
  const takeOver = async () => {
    owner.tab.freeze();
    for (let passedMs = 0; passedMs < LEASE_MS + 6_000; passedMs += 1_000) await watcher.clock.advance(1_000);
    for (let turn = 0; turn < 50; turn += 1) await settle();
    expect((await made.task()).epoch).toBeGreaterThan(1);
  };
  return { made, owner, watcher, takeOver };
}

it('"retry failed", asked for in a tab that watches and carried out by the owner, is not carried out again by the next owner', async () => {
  const { made, owner, watcher, takeOver } = await bench();
  let release = () => undefined as void;
  const gate = new Promise<void>((resolve) => (release = resolve));
  made.model.script(async ({ matter, request }) => {
    if (request.material.what !== 'file') await stuck();
    if (matter === 'text number 3') await gate;
    return matter === 'text number 0' ? fail(failure('request_rejected')) : answer(matter);
  });
  const asked = () => made.model.askedAbout('text number 0');
  await owner.supervisor.command(TASK, 'continue');
  while ((await made.task()).counts.failed === 0) await settle();
  await watcher.supervisor.command(TASK, 'retry_failed');
  release();
  while (asked() < 2 || (await made.task()).stage === 'files') await settle();
  expect((await made.task()).counts).toMatchObject({ done: 3, failed: 1 });
  await takeOver();
  expect(asked()).toBe(2);
});

it('a width that was asked for in a tab that watches does not come back after the owner was told another one', async () => {
  const { made, owner, watcher, takeOver } = await bench();
  made.model.script(stuck);
  await owner.supervisor.command(TASK, 'continue');
  while (made.model.inFlight < 4) await settle();
  await watcher.supervisor.setConcurrency(TASK, 9);
  while ((await made.task()).options.concurrency !== 9) await settle();
  await owner.supervisor.setConcurrency(TASK, 4);
  while ((await made.task()).options.concurrency !== 4) await settle();
  await takeOver();
  expect((await made.task()).options.concurrency).toBe(4);
});
