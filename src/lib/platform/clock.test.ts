import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { browserClock } from './clock';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const DAY_MS = 86_400_000;

test('a sleep ends when its time is over, not before', async () => {
  const woke = vi.fn();
  const slept = browserClock().sleep(1_000).then(woke);
  await vi.advanceTimersByTimeAsync(999);
  expect(woke).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await slept;
  expect(woke).toHaveBeenCalledOnce();
});

test('LIF-03: a wall clock that jumps changes neither durations nor sleeps', async () => {
  const clock = browserClock();
  const startMs = clock.monotonicMs();
  const woke = vi.fn();
  const slept = clock.sleep(5_000).then(woke);
  await vi.advanceTimersByTimeAsync(1_000);
  vi.setSystemTime(Date.now() + 8 * DAY_MS);
  await vi.advanceTimersByTimeAsync(1_000);
  vi.setSystemTime(Date.now() - 16 * DAY_MS);
  expect(woke).not.toHaveBeenCalled();
  expect(clock.monotonicMs() - startMs).toBe(2_000);
  await vi.advanceTimersByTimeAsync(3_000);
  await slept;
});

test('a sleep longer than a timer can hold does not end at once', async () => {
  const woke = vi.fn();
  const slept = browserClock()
    .sleep(30 * DAY_MS)
    .then(woke);
  await vi.advanceTimersByTimeAsync(29 * DAY_MS);
  expect(woke).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(DAY_MS);
  await slept;
});

test.each(['before', 'during'])('an abort %s the sleep rejects with AbortError and leaves no timer', async (when) => {
  const stop = new AbortController();
  if (when === 'before') stop.abort('a reason of some kind');
  const slept = browserClock().sleep(1_000, stop.signal);
  if (when === 'during') stop.abort();
  await expect(slept).rejects.toMatchObject({ name: 'AbortError' });
  expect(vi.getTimerCount()).toBe(0);
});
