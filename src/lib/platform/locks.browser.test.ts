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
