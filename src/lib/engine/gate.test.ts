import { describe, expect, it } from 'vitest';
import { settle } from '../testing/fake-clock';
import { Gate } from './gate';

describe('a gate', () => {
  it('lets through when everybody who closed it has opened it', async () => {
    const gate = new Gate();
    const { signal } = new AbortController();
    await gate.pass(signal);
    const [first, second] = [gate.close(), gate.close()];
    let isThrough = false;
    const passing = gate.pass(signal).then(() => (isThrough = true));
    first();
    await settle();
    expect(isThrough).toBe(false);
    second();
    await passing;
    expect(isThrough).toBe(true);
  });

  it('lets go of those who stop waiting', async () => {
    const gate = new Gate();
    const stop = new AbortController();
    gate.close();
    const passing = gate.pass(stop.signal);
    stop.abort();
    await expect(passing).rejects.toMatchObject({ name: 'AbortError' });
  });
});
