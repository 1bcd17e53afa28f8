import { describe, expect, it } from 'vitest';
import { PrefillSpeed } from './prefill-speed';

describe('PrefillSpeed', () => {
  it('begins with a slow machine and comes to what it sees', () => {
    const speed = new PrefillSpeed();
    expect(speed.expectedMs(1_000)).toBe(20_000);
    for (let seen = 0; seen < 40; seen += 1) speed.saw(2_000, 2_000);
    expect(speed.expectedMs(1_000)).toBeGreaterThanOrEqual(1_000);
    expect(speed.expectedMs(1_000)).toBeLessThan(1_100);
  });

  it('believes a slower reading sooner than a faster one', () => {
    const [slower, faster] = [new PrefillSpeed(), new PrefillSpeed()];
    slower.saw(1_000, 40_000);
    faster.saw(1_000, 10);
    expect(slower.expectedMs(1_000)).toBe(30_000);
    expect(faster.expectedMs(1_000)).toBeGreaterThan(15_000);
  });

  it('learns nothing from a prompt too short to tell, or a time that cannot be', () => {
    const speed = new PrefillSpeed();
    speed.saw(10, 60_000);
    speed.saw(1_000, -1);
    speed.saw(1_000, Number.NaN);
    expect(speed.expectedMs(1_000)).toBe(20_000);
  });

  it('stays finite whatever it is told', () => {
    const speed = new PrefillSpeed();
    for (let seen = 0; seen < 100; seen += 1) speed.saw(128, Number.MAX_VALUE);
    expect(speed.expectedMs(1)).toBeLessThanOrEqual(2_000);
    for (let seen = 0; seen < 1_000; seen += 1) speed.saw(1_000_000, 0);
    expect(speed.expectedMs(1_000_000)).toBeGreaterThan(0);
  });
});
