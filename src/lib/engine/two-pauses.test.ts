import { expect, it } from 'vitest';
import { failure } from '../core/failure';
import { fail, ok } from '../core/result';
import { EngineBench } from '../testing/engine-bench';

/** After a restart of the computer: the server is not up yet, and the folder wants a click. */
async function afterRestart() {
  const bench = new EngineBench();
  bench.folder.put('a.txt', 'a text');
  await bench.createTask();
  bench.folder.state = 'needs_permission';
  bench.model.isReachable = () => fail(failure('endpoint_unreachable'));
  const breaker = bench.ports.breakers.of((await bench.task()).endpointId);
  await breaker.ready();
  breaker.opened('endpoint_unreachable');
  const run = bench.newRun();
  const ended = run.run({ retryFailed: false });
  await bench.clock.advance(1_000);
  return { bench, run, ended };
}

it('says that the permission is missing for as long as it is, whatever the endpoint does meanwhile', async () => {
  const { bench, run, ended } = await afterRestart();
  expect(await bench.task()).toMatchObject({ status: 'paused' });
  bench.model.isReachable = () => ok();
  await bench.clock.advance(10 * 60_000);
  const task = await bench.task();
  run.stop('pause');
  await bench.clock.run(ended);
  expect([task.status, task.reason]).toEqual(['paused', 'permission']);
});

it('"continue" wakes whatever is waited for', async () => {
  const { bench, run, ended } = await afterRestart();
  bench.folder.state = 'ready';
  bench.model.isReachable = () => ok();
  run.proceed();
  await bench.clock.advance(500);
  const { status } = await bench.task();
  run.stop('pause');
  await bench.clock.run(ended);
  expect(status).toBe('completed');
});
