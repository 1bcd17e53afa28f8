import { describe, expect, it } from 'vitest';
import { failure } from '../core/failure';
import type { FailureCode, ParkReason } from '../core/failure-codes';
import { endpointId } from '../core/ids';
import { fail, ok } from '../core/result';
import { EngineBench } from '../testing/engine-bench';
import { FakeClock, settle } from '../testing/fake-clock';
import { FakeFolder } from '../testing/fake-folder';
import { ScriptedModel } from '../testing/scripted-model';
import { Breakers } from './breaker';
import { Parking } from './parking';
import { Wakeup } from './wakeup';

const CODES = {
  network: 'network_offline',
  endpoint: 'endpoint_unreachable',
  permission: 'folder_permission',
  storage: 'storage_full',
  approval: 'effect_in_doubt',
  attention: 'deadline_reached',
} as const satisfies Record<ParkReason, FailureCode>;

function bench() {
  const clock = new FakeClock();
  const wakeup = new Wakeup();
  const stop = new AbortController();
  const model = new ScriptedModel();
  const folder = new FakeFolder();
  const looksMs: number[] = [];
  const there = { model: true, folder: true };
  model.isReachable = () => fail(failure('endpoint_unreachable'));
  folder.state = 'needs_permission';
  const looked = () => looksMs.push(clock.monotonicMs());
  const profiles = new EngineBench().profiles;
  const breaker = new Breakers(profiles, clock).of(endpointId('endpoint-1'));
  const parking = new Parking({
    clock,
    breaker,
    openModel: () => {
      looked();
      return Promise.resolve(there.model ? ok(model) : fail(failure('endpoint_missing')));
    },
    openFolder: () => {
      looked();
      return Promise.resolve(there.folder ? ok(folder) : fail(failure('folder_missing')));
    },
  });
  const park = (reason: ParkReason) => {
    const ended = { yes: false };
    const done = parking.untilGone({ code: CODES[reason] }, stop.signal, wakeup).then(() => (ended.yes = true));
    done.catch(() => undefined);
    return { ended, done };
  };
  return { clock, wakeup, stop, model, folder, there, looksMs, parking, park };
}

const SECONDS = [2, 4, 8, 16, 32, 60, 60].reduce<number[]>((at, each) => [...at, (at.at(-1) ?? 0) + each * 1_000], []);

describe.each(['network', 'endpoint'] as const)('%s', (reason) => {
  it('is looked at after two seconds, then at growing distances up to a minute, and ends when a probe succeeds', async () => {
    const { clock, model, looksMs, park } = bench();
    const { ended, done } = park(reason);
    await clock.advance(SECONDS[5] ?? 0);
    expect([looksMs, ended.yes]).toEqual([SECONDS.slice(0, 6), false]);
    model.isReachable = () => ok();
    await clock.run(done);
    expect(looksMs).toEqual(SECONDS);
  });

  it('is looked at once more when something wakes it, without the distance growing for that', async () => {
    const { clock, wakeup, looksMs, park } = bench();
    const { ended } = park(reason);
    await clock.advance(500);
    wakeup.notify();
    await settle();
    expect([looksMs, ended.yes]).toEqual([[500], false]);
    await clock.advance(2_000);
    expect(looksMs).toEqual([500, 2_500]);
  });
});

it('an endpoint that is not there any more is waited for like one that does not answer', async () => {
  const { clock, there, model, park } = bench();
  there.model = false;
  model.isReachable = () => ok();
  const { ended } = park('endpoint');
  await clock.advance(10_000);
  expect(ended.yes).toBe(false);
  there.model = true;
  await clock.advance(10_000);
  expect(ended.yes).toBe(true);
});

it.each(['needs_permission', 'missing'] as const)(
  'a folder in state %s is waited for until it can be read',
  async (state) => {
    const { clock, folder, there, park } = bench();
    folder.state = state;
    const { ended, done } = park('permission');
    await clock.advance(5_000);
    there.folder = false;
    folder.state = 'ready';
    await clock.advance(30_000);
    expect(ended.yes).toBe(false);
    there.folder = true;
    await clock.run(done);
    expect(ended.yes).toBe(true);
  },
);

it('storage is tried again after the distance: the next commit tells', async () => {
  const { clock, looksMs, park } = bench();
  const { ended } = park('storage');
  await clock.advance(1_999);
  expect(ended.yes).toBe(false);
  await clock.advance(1);
  expect([ended.yes, looksMs]).toEqual([true, []]);
});

it('attention waits for the person, however long, and asks nobody', async () => {
  const { clock, wakeup, looksMs, park } = bench();
  const { ended, done } = park('attention');
  await clock.advance(7 * 24 * 3_600_000);
  expect([ended.yes, looksMs, clock.sleepers]).toEqual([false, [], 0]);
  wakeup.notify();
  await done;
  expect(ended.yes).toBe(true);
});

it('the distance goes on growing over pauses that no success lies between, and starts anew after one', async () => {
  const { clock, model, looksMs, parking, park } = bench();
  model.isReachable = () => ok();
  for (let pauses = 0; pauses < 3; pauses += 1) await clock.run(park('endpoint').done);
  expect(looksMs).toEqual(SECONDS.slice(0, 3));
  parking.succeeded();
  const beforeMs = clock.monotonicMs();
  await clock.run(park('endpoint').done);
  expect(clock.monotonicMs() - beforeMs).toBe(2_000);
});

it.each(['endpoint', 'permission', 'storage', 'attention'] as const)(
  'an abort ends a pause for %s and leaves no sleep behind',
  async (reason) => {
    const { clock, stop, looksMs, wakeup, park } = bench();
    const { done } = park(reason);
    await settle();
    stop.abort();
    await expect(done).rejects.toMatchObject({ name: 'AbortError' });
    wakeup.notify();
    await clock.advance(600_000);
    expect([looksMs, clock.sleepers]).toEqual([[], 0]);
  },
);
