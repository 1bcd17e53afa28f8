import { expect, it } from 'vitest';
import { FakeClock } from '../testing/fake-clock';
import { ActiveTime } from './active-time';

it('counts the time between start and stop, each piece once', async () => {
  const clock = new FakeClock();
  const active = new ActiveTime(clock);
  await clock.advance(5_000);
  expect(active.take()).toBe(0);
  active.start();
  await clock.advance(2_000);
  expect(active.take()).toBe(2_000);
  active.start();
  await clock.advance(1_000);
  active.stop();
  await clock.advance(60_000);
  expect(active.take()).toBe(1_000);
  active.start();
  clock.jumpWall(3_600_000);
  await clock.advance(500);
  expect([active.take(), active.take()]).toEqual([500, 0]);
});
