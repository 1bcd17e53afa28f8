import { describe, expect, it } from 'vitest';
import { FakeClock } from '../testing/fake-clock';
import { StepStopwatch } from './step-stopwatch';

describe('the time of a step', () => {
  it('is what was spent preparing and asking, without the wait for a free request', async () => {
    const clock = new FakeClock();
    const stopwatch = new StepStopwatch(clock);
    await clock.advance(30);
    stopwatch.ready();
    await clock.advance(5_000);
    stopwatch.asked();
    await clock.advance(200);
    expect(stopwatch.durationMs()).toBe(230);
  });

  it('does not count the wait for an equal request of another file', async () => {
    const clock = new FakeClock();
    const stopwatch = new StepStopwatch(clock);
    await clock.advance(30);
    stopwatch.ready();
    await clock.advance(4_000);
    expect(stopwatch.durationMs()).toBe(30);
  });

  it('counts everything of a step that never came to ask', async () => {
    const clock = new FakeClock();
    const stopwatch = new StepStopwatch(clock);
    await clock.advance(70);
    expect(stopwatch.durationMs()).toBe(70);
  });
});
