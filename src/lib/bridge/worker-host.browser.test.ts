import { afterEach, expect, test, vi } from 'vitest';
import type { Endings } from '../core/endings';
import { relayPage } from './page-relays';
import type { TestingApi } from './testing-worker';
import { WorkerHost, WorkerStopped, type HostHealth, type HostOptions } from './worker-host';

const spawnTestingWorker = () => new Worker(new URL('./testing-worker.ts', import.meta.url), { type: 'module' });

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const clean of cleanups.splice(0)) clean();
});

function host(options: Partial<HostOptions<TestingApi>> = {}) {
  const workers: Worker[] = [];
  const health: HostHealth[] = [];
  const made = new WorkerHost<TestingApi>({
    spawn: () => {
      const worker = spawnTestingWorker();
      workers.push(worker);
      return worker;
    },
    onHealth: (now) => health.push(now),
    ...options,
  });
  cleanups.push(() => made.stop());
  return { host: made, api: made.api, workers, health };
}

const settles = (call: Promise<unknown>) =>
  call.then(
    () => 'answered',
    (error: unknown) => (error instanceof WorkerStopped ? 'stopped' : `failed: ${String(error)}`),
  );

test('starts no worker until something is asked, then answers', async () => {
  const { api, workers, health } = host();
  expect(workers).toHaveLength(0);
  expect(await api.add(2, 3)).toBe(5);
  expect(await api.add(1, 1)).toBe(2);
  expect(workers).toHaveLength(1);
  expect(health).toEqual(['starting', 'ready']);
});

test('calls a function given as an argument', async () => {
  const { api } = host();
  const steps: number[] = [];
  expect(await api.report(3, (step) => steps.push(step))).toBe('reported');
  await vi.waitFor(() => expect(steps).toEqual([1, 2, 3]));
});

test('an error thrown by the worker keeps its name and message', async () => {
  const { api } = host();
  await expect(api.fail()).rejects.toMatchObject({ name: 'SpecialError', message: 'the reason' });
});

test('LIF-06: a missing method rejects and the worker lives on', async () => {
  const { api, workers } = host();
  await expect(api.missing()).rejects.toThrow();
  expect(await api.add(1, 2)).toBe(3);
  expect(workers).toHaveLength(1);
});

test('LIF-06: a terminated worker is noticed within 5 s, its calls reject, and a new one answers', async () => {
  const { api, workers, health } = host();
  await api.add(1, 1);
  const call = settles(api.wait());
  const killedMs = performance.now();
  workers[0]?.terminate();
  expect(await call).toBe('stopped');
  expect(performance.now() - killedMs).toBeLessThan(5_000);
  expect(await api.add(2, 2)).toBe(4);
  expect(health).toEqual(['starting', 'ready', 'stopped', 'starting', 'ready']);
}, 15_000);

test('a worker that ends on purpose is followed by another at once, and is taken for one that was left', async () => {
  const told: (Endings | null)[] = [];
  const { api, workers, health } = host({ greet: async (made) => void told.push(await made.told()) });
  const beforeMs = Date.now();
  for (let times = 0; times < 6; times += 1) {
    const waiting = settles(api.wait());
    await settles(api.stop());
    expect(await waiting).toBe('stopped');
    expect(await api.add(2, 2)).toBe(4);
  }
  expect(workers).toHaveLength(7);
  expect(health.slice(0, 5)).toEqual(['starting', 'ready', 'stopped', 'starting', 'ready']);
  expect(told.at(-1)?.leftMs).toBeGreaterThanOrEqual(beforeMs);
  expect(told.map((each) => each?.diedMs)).toEqual(Array.from({ length: 7 }, () => null));
});

test('LIF-06: a throw at top level is noticed at once', async () => {
  const { api, workers } = host();
  const call = settles(api.wait());
  await api.throwAtTopLevel();
  expect(await call).toBe('stopped');
  expect(await api.add(2, 2)).toBe(4);
  expect(workers).toHaveLength(2);
});

test('LIF-06: a worker that cannot load rejects what waits, and is tried again with backoff', async () => {
  let tries = 0;
  const { api } = host({
    spawn: () => {
      tries += 1;
      return tries < 3 ? new Worker('/no-such-worker.js', { type: 'module' }) : spawnTestingWorker();
    },
    limits: { backoffMs: 10 },
  });
  expect(await settles(api.add(1, 1))).toBe('stopped');
  await vi.waitFor(() => expect(tries).toBe(3));
  expect(await api.add(1, 1)).toBe(2);
});

test('every new worker is greeted before calls that waited reach it', async () => {
  const { api, workers } = host({ greet: (made) => made.tell('greeting') });
  await api.tell('first');
  expect(await api.heard()).toEqual(['greeting', 'first']);
  await api.throwAtTopLevel();
  await vi.waitFor(() => expect(workers).toHaveLength(2));
  expect(await api.heard()).toEqual(['greeting']);
});

test('a worker that dies while it is greeted is replaced', async () => {
  let greetings = 0;
  const { api } = host({
    greet: async (made) => {
      greetings += 1;
      if (greetings === 1) await made.fail();
    },
    limits: { backoffMs: 10 },
  });
  expect(await settles(api.add(1, 1))).toBe('stopped');
  await vi.waitFor(async () => expect(await api.add(1, 1)).toBe(2));
  expect(greetings).toBe(2);
});

test('a worker too busy to answer is given more time after each death', async () => {
  const { api, workers } = host({ limits: { tickMs: 100, silentTicks: 2, backoffMs: 10 } });
  expect(await settles(api.block(600))).toBe('stopped');
  expect(await settles(api.block(250))).toBe('answered');
  expect(workers).toHaveLength(2);
});

test('pagehide ends the worker; pageshow from the back/forward cache starts another', async () => {
  const { host: made, api, workers } = host();
  cleanups.push(
    relayPage({
      get health() {
        return made.health;
      },
      api: {
        networkChanged: () => Promise.resolve(),
        wake: () => Promise.resolve(),
        flushPartials: () => Promise.resolve(),
      },
      start: () => made.start(),
      stop: () => made.stop(),
    }),
  );
  await api.add(1, 1);
  const call = settles(api.wait());
  dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
  expect(await call).toBe('stopped');
  expect(made.health).toBe('idle');
  dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  await vi.waitFor(() => expect(made.health).toBe('ready'));
  expect(workers).toHaveLength(2);
});

test('what only the page hears is relayed to a worker that is ready', async () => {
  const told: string[] = [];
  cleanups.push(
    relayPage({
      health: 'ready',
      api: {
        networkChanged: async (online) => void told.push(online ? 'online' : 'offline'),
        wake: async () => void told.push('wake'),
        flushPartials: async () => void told.push('flush'),
      },
      start: () => Promise.resolve(),
      stop: () => undefined,
    }),
  );
  dispatchEvent(new Event('offline'));
  dispatchEvent(new Event('online'));
  dispatchEvent(new Event('focus'));
  document.dispatchEvent(new Event('freeze'));
  expect(told).toEqual(['offline', 'online', 'wake', 'flush']);
});
