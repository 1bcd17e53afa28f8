import { describe, expect, it } from 'vitest';
import { LEASE_MS, LOOK_EVERY_MS, Quiet } from './lease';

describe('how long an owner has been quiet', () => {
  it('counts from the first look that saw the last sign of life', () => {
    const quiet = new Quiet();
    expect(quiet.look('1/1', 2_500)).toBe(0);
    expect(quiet.look('1/1', 5_000)).toBe(2_500);
    expect(quiet.look('1/2', 7_500)).toBe(0);
    expect(quiet.look('1/2', 10_000)).toBe(2_500);
  });

  it('LIF-01: begins anew after a look that came far too late, since the onlooker slept itself', () => {
    const quiet = new Quiet();
    for (let atMs = 0; atMs < LEASE_MS; atMs += LOOK_EVERY_MS) quiet.look('1/1', atMs);
    const wokenMs = 8 * 60 * 60_000;
    expect(quiet.look('1/1', wokenMs)).toBe(0);
    expect(quiet.look('1/1', wokenMs + LOOK_EVERY_MS)).toBe(LOOK_EVERY_MS);
  });

  it('begins anew when storage does not tell, and when the owner was heard another way', () => {
    const quiet = new Quiet();
    quiet.look('1/1', 0);
    expect(quiet.look('1/1', 2_500)).toBe(2_500);
    expect(quiet.look(null, 5_000)).toBe(0);
    expect(quiet.look('1/1', 7_500)).toBe(0);
    expect(quiet.look('1/1', 10_000)).toBe(2_500);
    quiet.heard();
    expect(quiet.look('1/1', 12_500)).toBe(0);
  });
});
