import { expect, it } from 'vitest';
import { settle } from '../testing/fake-clock';
import { Wakeup } from './wakeup';

async function isOver(waiting: Promise<void>): Promise<boolean> {
  return Promise.race([waiting.then(() => true), settle().then(() => false)]);
}

it('a notification wakes who waits, and one that came before is not lost', async () => {
  const wakeup = new Wakeup();
  const waiting = wakeup.wait();
  expect(await isOver(waiting)).toBe(false);
  wakeup.notify();
  expect(await isOver(waiting)).toBe(true);
  wakeup.notify();
  wakeup.notify();
  expect(await isOver(wakeup.wait())).toBe(true);
  expect(await isOver(wakeup.wait())).toBe(false);
});

it('an abort ends the wait and takes no later notification with it', async () => {
  const wakeup = new Wakeup();
  const stop = new AbortController();
  const waiting = wakeup.wait(stop.signal);
  stop.abort();
  expect(await isOver(waiting)).toBe(true);
  wakeup.notify();
  expect(await isOver(wakeup.wait())).toBe(true);
});

it('what came before a wait began can be forgotten', async () => {
  const wakeup = new Wakeup();
  wakeup.notify();
  wakeup.forget();
  expect(await isOver(wakeup.wait())).toBe(false);
});
