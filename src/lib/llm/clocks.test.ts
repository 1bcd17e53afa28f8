import { describe, expect, it } from 'vitest';
import { DEFAULT_CLOCKS } from '../core/model';
import { FakeClock, settle } from '../testing/fake-clock';
import { watchRequest } from './clocks';

const LIMITS = { connectMs: 100, firstTokenMs: 200, idleMs: 50, wholeMs: 1_000, graceMs: 20 };

function begin(outer = new AbortController()) {
  const clock = new FakeClock();
  return { clock, outer, watch: watchRequest(clock, LIMITS, outer.signal) };
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
