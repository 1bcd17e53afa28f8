import { cdp } from 'vitest/browser';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { fileStepKey, resultKey } from '../core/ids';
import { sampleCommit, sampleResult, sampleStep } from '../testing/sample-rows';
import { begin, codeOf, commitTo, valueOf } from './checkpoint-store.conformance';
import { IdbCheckpointStore } from './checkpoint-store-idb';
import { closeScratch, scratchConnection } from './scratch-database';

afterEach(closeScratch);

const setQuota = (quotaSize?: number) =>
  cdp().send('Storage.overrideQuotaForOrigin', { origin: location.origin, quotaSize });

/** Text that does not compress. */
function noise(characters: number): string {
  const piece = () => String.fromCharCode(...crypto.getRandomValues(new Uint16Array(10_000)));
  return Array.from({ length: characters / 10_000 }, piece).join('');
}

it(
  'IDB-01: a full disk is told as such, leaves what was saved, and work goes on when there is room',
  {
    timeout: 90_000,
  },
  async () => {
    await setQuota(1_000_000);
    onTestFinished(async () => {
      await setQuota();
    });
    const store = new IdbCheckpointStore(scratchConnection());
    const task = await commitTo(store, await begin(store), { steps: [sampleStep('a.txt')] });
    const large = (key: string) =>
      sampleCommit(task, {
        steps: [sampleStep(key, { status: 'done' })],
        results: [sampleResult(key, { output: noise(1_000_000) })],
      });

    // The browser remembers for some seconds how much room it found, and lets a few writes through.
    let tries = 0;
    const writeOne = async () => {
      tries += 1;
      return codeOf(await store.commit(large(`${tries}`)));
    };
    await expect.poll(writeOne, { timeout: 80_000, interval: 1_000 }).toBe('storage_full');

    expect(valueOf(await store.task(task.id))?.seq).toBe(tries);
    expect(valueOf(await store.step(task.id, fileStepKey(`${tries}`)))).toBeNull();
    expect(valueOf(await store.result(resultKey(`${tries}`)))).toBeNull();
    expect(valueOf(await store.step(task.id, fileStepKey('a.txt')))?.seq).toBe(1);
    await setQuota();
    expect(codeOf(await store.commit(large('again')))).toBe('ok');
  },
);
