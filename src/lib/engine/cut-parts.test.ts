import { describe, expect, it } from 'vitest';
import { failure } from '../core/failure';
import { inputHashOf } from '../core/input-hash';
import { fail } from '../core/result';
import { EngineBench } from '../testing/engine-bench';
import { OwnerLife } from '../testing/owner-life';
import { plainDigest } from '../testing/plain-digest';
import { answer } from '../testing/scripted-model';

/** A file of many parts whose answers all end at their limit; `nth` requests in, something else may happen. */
async function cutAnswers(concurrency: number) {
  const bench = new EngineBench();
  bench.model.contextTokens = 1_200;
  const lines = Array.from({ length: 400 }, (_, n) => `Line ${String(n)}: the measured value is ${String(n * 37)}.`);
  bench.folder.put('long.txt', lines.join('\n'));
  await bench.createTask({ concurrency });
  const answered = new Map<string, number>();
  const fault = { at: Infinity };
  bench.model.script(async ({ request, matter }, nth) => {
    await bench.clock.sleep(50);
    if (nth === fault.at) return fail(failure('server_fault'));
    const hash = await inputHashOf(plainDigest, bench.model.identity, request);
    answered.set(hash, (answered.get(hash) ?? 0) + 1);
    return answer(`${matter.slice(0, 60)}. ${'Values were meas '.repeat(30)}`, 'length');
  });
  const again = () => [...answered.values()].reduce((sum, times) => sum + times - 1, 0);
  return { bench, fault, again };
}

describe('answers that were cut, to pieces of one file', () => {
  it('are the answers of its next try, too', async () => {
    const { bench, fault, again } = await cutAnswers(2);
    fault.at = 8;
    await bench.run();
    expect([(await bench.task()).status, again()]).toEqual(['completed', 0]);
  });

  it('are kept over a kill', async () => {
    const { bench, again } = await cutAnswers(2);
    await new OwnerLife(bench).live(() => bench.model.calls.length === 8);
    await new OwnerLife(bench).live();
    expect((await bench.task()).status).toBe('completed');
    expect(again()).toBeLessThanOrEqual(2);
  });
});
