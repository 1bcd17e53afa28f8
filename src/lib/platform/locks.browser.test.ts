import { describe, expect, test } from 'vitest';
import type { Locks } from '../core/ports';
import { singleTabLocks } from './locks-single';
import { availableLocks, webLocks } from './locks-web';

const never = new AbortController().signal;
const name = () => `test-${crypto.randomUUID()}`;

describe.each([
  ['web', () => webLocks(navigator.locks)],
  ['single tab (LIF-08)', singleTabLocks],
] as const)('%s locks', (_kind, make: () => Locks) => {
  test('one holder at a time, in the order they asked', async () => {
    const locks = make();
    const lock = name();
    const log: string[] = [];
    const first = Promise.withResolvers<void>();
    const held = [
      locks.hold(lock, never, async () => {
        log.push('first in');
        await first.promise;
        log.push('first out');
      }),
      locks.hold(lock, never, async () => void log.push('second')),
      locks.hold(lock, never, async () => void log.push('third')),
    ];
    await locks.hold(name(), never, async () => void log.push('another name'));
    first.resolve();
    await Promise.all(held);
    expect(log.filter((line) => line !== 'another name')).toEqual(['first in', 'first out', 'second', 'third']);
  });

  test('gives what the work gives, and is free again when the work throws', async () => {
    const locks = make();
    const lock = name();
    expect(await locks.hold(lock, never, async () => 42)).toBe(42);
    await expect(locks.hold(lock, never, () => Promise.reject(new Error('the work failed')))).rejects.toThrow(
      'the work failed',
    );
    expect(await locks.hold(lock, never, async () => 'free')).toBe('free');
  });

  test('waiting ends with AbortError when the signal fires, and the next in line still gets it', async () => {
    const locks = make();
    const lock = name();
    const release = Promise.withResolvers<void>();
    const holder = locks.hold(lock, never, () => release.promise);
    const stop = new AbortController();
    const waiter = locks.hold(lock, stop.signal, async () => 'must not run');
    const last = locks.hold(lock, never, async () => 'last');
    stop.abort();
    await expect(waiter).rejects.toMatchObject({ name: 'AbortError' });
    release.resolve();
    await holder;
    expect(await last).toBe('last');
  });
});

describe.each([
  ['web', () => webLocks(navigator.locks)],
  ['single tab', singleTabLocks],
] as const)('%s locks that are stolen', (_kind, make: () => Locks) => {
  test('the thief holds at once; the holder is told, ends as its work does, and who waited waits on', async () => {
    const locks = make();
    const lock = name();
    const log: string[] = [];
    const rest = Promise.withResolvers<void>();
    const thiefMayEnd = Promise.withResolvers<void>();
    const holder = locks.hold(lock, never, async (lost) => {
      await new Promise<void>((resolve) => lost.addEventListener('abort', () => resolve()));
      log.push('lost');
      await rest.promise;
      return 'what the work gave';
    });
    const waiter = locks.hold(lock, never, async () => void log.push('waiter'));
    const thief = locks.hold(lock, never, () => thiefMayEnd.promise, { steal: true });
    rest.resolve();
    expect(await holder).toBe('what the work gave');
    expect(log).toEqual(['lost']);
    thiefMayEnd.resolve();
    await Promise.all([thief, waiter]);
    expect(log).toEqual(['lost', 'waiter']);
  });

  test('a holder that fails after the theft fails with its own error', async () => {
    const locks = make();
    const lock = name();
    const holder = locks.hold(lock, never, async (lost) => {
      await new Promise<void>((resolve) => lost.addEventListener('abort', () => resolve()));
      throw new Error('the work failed');
    });
    const failed = expect(holder).rejects.toThrow('the work failed');
    expect(await locks.hold(lock, never, async () => 'stolen', { steal: true })).toBe('stolen');
    await failed;
  });

  test('nobody need hold it', async () => {
    expect(await make().hold(name(), never, async () => 'free', { steal: true })).toBe('free');
  });
});

test('LIF-04: a lock is stolen from another worker, which is told', async () => {
  const lock = name();
  const workers: Worker[] = [];
  const start = (steal: boolean) => {
    const url = new URL('../../../tests/support/lock-holder.worker.ts', import.meta.url);
    const worker = new Worker(url, { type: 'module' });
    workers.push(worker);
    const said: unknown[] = [];
    const heard = (word: string) =>
      new Promise<void>((resolve) => {
        worker.addEventListener('message', ({ data }) => {
          said.push(data);
          if (data === word) resolve();
        });
      });
    worker.postMessage({ name: lock, steal });
    return { heard, said };
  };
  const first = start(false);
  await first.heard('held');
  const ended = first.heard('ended');
  const second = start(true);
  await Promise.all([second.heard('held'), ended]);
  expect(first.said.filter((word, index, all) => all.indexOf(word) === index)).toEqual(['held', 'lost', 'ended']);
  expect(second.said).toEqual(['held']);
  for (const worker of workers) worker.terminate();
});

test('a signal that fires while the work runs does not take the lock away', async () => {
  const stop = new AbortController();
  const result = await webLocks(navigator.locks).hold(name(), stop.signal, async () => {
    stop.abort();
    return 'finished';
  });
  expect(result).toBe('finished');
});

test('a lock is seen by every other holder of the origin', async () => {
  const lock = name();
  const release = Promise.withResolvers<void>();
  const entered = Promise.withResolvers<void>();
  const holder = availableLocks().hold(lock, never, () => {
    entered.resolve();
    return release.promise;
  });
  await entered.promise;
  const seen = await navigator.locks.query();
  expect(seen.held?.map((held) => held.name)).toContain(`talaria:${lock}`);
  release.resolve();
  await holder;
});
