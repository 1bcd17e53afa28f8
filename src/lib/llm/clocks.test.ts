import { describe, expect, it } from 'vitest';
import { DEFAULT_CLOCKS } from '../core/model';
import { FakeClock, settle } from '../testing/fake-clock';
import { watchRequest } from './clocks';
import type { RequestLimits } from './request-limits';

const LIMITS: RequestLimits = {
  connectMs: 100,
  firstTokenMs: 200,
  readingMargin: 0,
  idleMs: 50,
  wholeMs: 1_000,
  graceMs: 20,
  wakeMs: 30,
  wakeReadingMs: 40,
};

const HOUR_MS = 3_600_000;

function begin(outer = new AbortController(), limits: Partial<RequestLimits> = {}) {
  const clock = new FakeClock();
  return { clock, outer, watch: watchRequest(clock, { ...LIMITS, ...limits }, outer.signal) };
}

describe('watchRequest', () => {
  it('connect: until the headers', async () => {
    const { clock, watch } = begin();
    await clock.advance(99);
    expect(watch.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(watch.signal.aborted).toBe(true);
    expect(watch.expired).toBe('connect_timeout');
  });

  it('first token: from the headers on, begun anew by progress', async () => {
    const { clock, watch } = begin();
    await clock.advance(90);
    watch.headersSeen();
    await clock.advance(190);
    watch.progressSeen();
    await clock.advance(199);
    expect(watch.expired).toBeNull();
    await clock.advance(1);
    expect(watch.expired).toBe('first_token_timeout');
  });

  it('idle: between tokens, shorter than the wait for the first', async () => {
    const { clock, watch } = begin();
    watch.headersSeen();
    await clock.advance(10);
    watch.tokenSeen();
    await clock.advance(49);
    watch.tokenSeen();
    await clock.advance(49);
    expect(watch.expired).toBeNull();
    watch.progressSeen();
    await clock.advance(1);
    expect(watch.expired).toBe('idle_timeout');
  });

  it('seed defect 33: whole, however many tokens come', async () => {
    const { clock, watch } = begin();
    watch.headersSeen();
    for (let passedMs = 0; passedMs < 1_000; passedMs += 40) {
      watch.tokenSeen();
      await clock.advance(40);
    }
    expect(watch.expired).toBe('request_timeout');
  });

  it('SSE-05: the grace that is shipped is over within five seconds of a finish reason', () => {
    expect(DEFAULT_CLOCKS.graceMs).toBeGreaterThan(0);
    expect(DEFAULT_CLOCKS.graceMs).toBeLessThan(5_000);
  });

  it('grace: ends the request after a finish reason without blaming it', async () => {
    const { clock, watch } = begin();
    watch.headersSeen();
    watch.tokenSeen();
    watch.finishSeen(20);
    await clock.advance(19);
    expect(watch.signal.aborted).toBe(false);
    watch.finishSeen(5);
    await clock.advance(5);
    expect(watch.signal.aborted).toBe(true);
    expect(watch.expired).toBeNull();
  });

  it('is measured by the monotonic clock alone', async () => {
    const { clock, watch } = begin();
    clock.jumpWall(3_600_000);
    await clock.advance(99);
    expect(watch.expired).toBeNull();
  });

  it('passes the caller’s abort on, and blames no clock for it', async () => {
    const { clock, watch, outer } = begin();
    outer.abort();
    expect(watch.signal.aborted).toBe(true);
    await clock.advance(10);
    expect(watch.expired).toBeNull();
    expect(begin(outer).watch.signal.aborted).toBe(true);
  });

  it('leaves neither a timer nor a listener behind', async () => {
    const { clock, watch, outer } = begin();
    await settle();
    expect(clock.sleepers).toBe(1);
    watch.stop();
    await settle();
    expect(clock.sleepers).toBe(0);
    outer.abort();
    expect(watch.signal.aborted).toBe(false);
  });
});

describe('a sleep of the machine', () => {
  const awake = { connectMs: 600_000, firstTokenMs: 600_000, idleMs: 120_000, wholeMs: 2 * HOUR_MS, wakeMs: 30_000 };
  const LONG: Partial<RequestLimits> = { ...awake, wakeReadingMs: 90_000 };

  function streaming(limits = LONG) {
    const begun = begin(new AbortController(), limits);
    begun.watch.headersSeen();
    begun.watch.tokenSeen();
    return begun;
  }

  /** Both kinds of machine: the monotonic clock counts the sleep, or stands still in it. */
  const SLEEPS = [
    ['counted', (clock: FakeClock, ms: number) => clock.freeze(ms)],
    ['not counted', (clock: FakeClock, ms: number) => clock.jumpWall(ms)],
  ] as const;

  it.each(SLEEPS)(
    'LIF-03: a request that stays silent afterwards is given up as interrupted (%s)',
    async (_, sleep) => {
      const { clock, watch } = streaming();
      await clock.advance(1_000);
      sleep(clock, 8 * HOUR_MS);
      await clock.advance(10_000);
      expect(watch.expired).toBeNull();
      await clock.advance(31_000);
      expect(watch.expired).toBe('sleep_interrupted');
      expect(watch.signal.aborted).toBe(true);
    },
  );

  it.each(SLEEPS)('LIF-03: one that goes on afterwards keeps all its clocks (%s)', async (_, sleep) => {
    const { clock, watch } = streaming();
    await clock.advance(1_000);
    sleep(clock, 8 * HOUR_MS);
    await clock.advance(25_000);
    watch.tokenSeen();
    await clock.advance(119_000);
    expect(watch.expired).toBeNull();
    await clock.advance(1_000);
    expect(watch.expired).toBe('idle_timeout');
  });

  it.each(SLEEPS)('LIF-03: a prompt that was being read is given the time to be read (%s)', async (_, sleep) => {
    const { clock, watch } = begin(new AbortController(), LONG);
    watch.headersSeen();
    await clock.advance(1_000);
    sleep(clock, 8 * HOUR_MS);
    await clock.advance(119_000);
    expect(watch.expired).toBeNull();
    await clock.advance(11_000);
    expect(watch.expired).toBe('sleep_interrupted');
  });

  it('LIF-03: sleeping is not part of the whole request', async () => {
    const { clock, watch } = streaming({ ...LONG, wholeMs: 200_000 });
    clock.freeze(8 * HOUR_MS);
    await clock.advance(0);
    watch.tokenSeen();
    await clock.advance(100_000);
    watch.tokenSeen();
    await clock.advance(89_000);
    expect(watch.expired).toBeNull();
    await clock.advance(11_000);
    expect(watch.expired).toBe('request_timeout');
  });

  it.each([-3 * HOUR_MS, 3 * HOUR_MS, 8 * 24 * HOUR_MS])(
    'LIF-03: a wall clock set by %d ms ends nothing that is alive',
    async (jumpMs) => {
      const { clock, watch } = streaming();
      clock.jumpWall(jumpMs);
      for (let token = 0; token < 20; token += 1) {
        await clock.advance(20_000);
        watch.tokenSeen();
      }
      expect(watch.expired).toBeNull();
    },
  );

  it('LIF-03: a wall clock set back shortens nothing', async () => {
    const { clock, watch } = streaming();
    clock.jumpWall(-3 * HOUR_MS);
    await clock.advance(119_000);
    expect(watch.expired).toBeNull();
  });

  it('an answer that waits for nothing but usage is not interrupted', async () => {
    const { clock, watch } = streaming();
    watch.finishSeen(2_000);
    clock.freeze(8 * HOUR_MS);
    await clock.advance(0);
    expect(watch.signal.aborted).toBe(true);
    expect(watch.expired).toBeNull();
  });
});
