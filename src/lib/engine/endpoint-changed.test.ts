import { describe, expect, it } from 'vitest';
import { failure } from '../core/failure';
import { fail, ok, type Result } from '../core/result';
import type { Completion } from '../core/model';
import { EngineBench } from '../testing/engine-bench';
import { settle } from '../testing/fake-clock';
import { answer, ScriptedModel } from '../testing/scripted-model';

const unreachable = () => fail(failure('endpoint_unreachable'));

/** A task on an endpoint where nothing answers, and the same profile with the address put right. */
async function waitingAtTheWrongAddress(identity = 'openai/scripted') {
  const bench = new EngineBench();
  for (const name of ['a', 'b', 'c', 'd']) bench.folder.put(`${name}.txt`, `text ${name}`);
  const wrong = bench.model;
  wrong.script(unreachable);
  wrong.isReachable = unreachable;
  const right = new ScriptedModel();
  right.identity = identity;
  let current = wrong;
  bench.ports.models.open = () => Promise.resolve(ok(current));
  await bench.createTask({ concurrency: 1 });
  const run = bench.newRun();
  const ended = run.run({ retryFailed: false });
  return { bench, wrong, right, run, ended, putRight: () => (current = right) };
}

describe('an endpoint whose address is put right while a task waits for it', () => {
  it.each(['openai/scripted', 'openai/another'])(
    'is asked at once, by files read before that too (%s)',
    async (name) => {
      const { bench, wrong, right, run, ended, putRight } = await waitingAtTheWrongAddress(name);
      await bench.clock.advance(5 * 60_000);
      expect(await bench.task()).toMatchObject({ status: 'paused', reason: 'endpoint' });
      const asked = wrong.calls.length;
      const sinceMs = bench.clock.monotonicMs();
      putRight();
      run.wake();
      await bench.clock.run(ended);
      expect(await bench.task()).toMatchObject({ status: 'completed', counts: { done: 4, failed: 0 } });
      expect([wrong.calls.length, right.fileCalls.length]).toEqual([asked, 4]);
      expect(bench.clock.monotonicMs() - sinceMs).toBeLessThan(1_000);
      const keys = (await bench.files()).flatMap(({ resultKey }) => resultKey ?? []);
      const answers = await bench.store.results(keys);
      expect(answers.ok && answers.value.filter((row) => row !== null)).toHaveLength(4);
    },
  );
});

it('takes the answer that is on its way when the endpoint is changed, and asks the new one from then on', async () => {
  const { bench, wrong, right, run, ended, putRight } = await waitingAtTheWrongAddress();
  let reply: (answered: Result<Completion>) => void = () => undefined;
  wrong.isReachable = () => ok();
  wrong.script(() => new Promise((resolve) => (reply = resolve)));
  await settle();
  putRight();
  run.wake();
  reply(answer('from the first'));
  await bench.clock.run(ended);
  expect(await bench.task()).toMatchObject({ status: 'completed', counts: { done: 4, failed: 0 } });
  expect([wrong.calls.length, right.fileCalls.length]).toEqual([1, 3]);
});
