import { describe, expect, it } from 'vitest';
import { inputHashOf } from '../core/input-hash';
import { EngineBench } from '../testing/engine-bench';
import { OwnerLife } from '../testing/owner-life';
import { plainDigest } from '../testing/plain-digest';
import { answer } from '../testing/scripted-model';

/** One file of 14 parts, whose answers are joined in 7 requests, then in fewer. */
async function longFile(concurrency: number) {
  const bench = new EngineBench();
  bench.model.contextTokens = 1_200;
  const lines = Array.from({ length: 500 }, (_, n) => `Line ${String(n)}: the measured value is ${String(n * 37)}.`);
  bench.folder.put('long.txt', lines.join('\n'));
  await bench.createTask({ concurrency });
  const asked = new Map<string, number>();
  const count = { joins: 0 };
  bench.model.script(async ({ request, matter }) => {
    const hash = await inputHashOf(plainDigest, bench.model.identity, request);
    asked.set(hash, (asked.get(hash) ?? 0) + 1);
    await bench.clock.sleep(50);
    if (request.material.what === 'join') count.joins += 1;
    return answer(`${request.material.what} ${matter.slice(0, 60)}. ${'Values were measured. '.repeat(30)}`);
  });
  return { bench, asked, count };
}

describe('the answers of a long file, joined in more requests than may be out at once', () => {
  it.each([1, 2, 4, 6, 7, 16])('come to an end, with %i at once', async (concurrency) => {
    const { bench } = await longFile(concurrency);
    await new OwnerLife(bench).live().catch(() => undefined);
    expect([(await bench.task()).status, bench.model.fileCalls.length]).toEqual(['completed', 0]);
  });

  it('cost no more calls at a kill than may be out at once', async () => {
    const { bench, asked, count } = await longFile(7);
    await bench.store.task((await bench.task()).id);
    const life = new OwnerLife(bench);
    await life.live(() => count.joins === 7);
    await new OwnerLife(bench).live();
    expect((await bench.task()).status).toBe('completed');
    expect([...asked.values()].reduce((sum, times) => sum + times - 1, 0)).toBeLessThanOrEqual(7);
  });
});
