import { expect, it } from 'vitest';
import { settle } from '../testing/fake-clock';
import { Permits } from './permits';

async function taking<T>(permits: Permits, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const release = await permits.take(signal);
  try {
    return await work();
  } finally {
    release();
  }
}

function gated(permits: Permits, signal = new AbortController().signal) {
  let end = () => undefined as void;
  const gate = new Promise<void>((resolve) => (end = resolve));
  const begun: { yes: boolean } = { yes: false };
  const done = taking(permits, signal, async () => {
    begun.yes = true;
    await gate;
  });
  done.catch(() => undefined);
  return { begun, done, end: () => end() };
}

it('lets as many in as the limit says, the others in the order they came', async () => {
  const permits = new Permits(2);
  const [first, second, third, fourth] = [gated(permits), gated(permits), gated(permits), gated(permits)];
  await settle();
  expect([first, second, third, fourth].map(({ begun }) => begun.yes)).toEqual([true, true, false, false]);
  second.end();
  await settle();
  expect([third, fourth].map(({ begun }) => begun.yes)).toEqual([true, false]);
});

it('a larger limit lets waiters in at once; a smaller one takes nobody out', async () => {
  const permits = new Permits(1);
  const all = [gated(permits), gated(permits), gated(permits)];
  permits.resize(3);
  await settle();
  expect(all.every(({ begun }) => begun.yes)).toBe(true);
  permits.resize(0);
  const later = gated(permits);
  for (const { end } of all) end();
  await settle();
  expect(permits.limit).toBe(1);
  expect(later.begun.yes).toBe(true);
});

it('who stops waiting leaves the line', async () => {
  const permits = new Permits(1);
  const stop = new AbortController();
  const holder = gated(permits);
  const leaver = gated(permits, stop.signal);
  const last = gated(permits);
  stop.abort();
  await expect(leaver.done).rejects.toMatchObject({ name: 'AbortError' });
  holder.end();
  await settle();
  expect([leaver, last].map(({ begun }) => begun.yes)).toEqual([false, true]);
  last.end();
  await expect(permits.take(stop.signal)).rejects.toMatchObject({ name: 'AbortError' });
});

it('a permit given back twice counts once', async () => {
  const permits = new Permits(1);
  const release = await permits.take(new AbortController().signal);
  release();
  release();
  const [first, second] = [gated(permits), gated(permits)];
  await settle();
  expect([first, second].map(({ begun }) => begun.yes)).toEqual([true, false]);
});
