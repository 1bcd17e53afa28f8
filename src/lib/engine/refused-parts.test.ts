import { expect, it } from 'vitest';
import { failure } from '../core/failure';
import { fail } from '../core/result';
import { EngineBench } from '../testing/engine-bench';
import { OwnerLife } from '../testing/owner-life';
import { answer } from '../testing/scripted-model';

const CODES = ['rate_limited', 'endpoint_unreachable', 'server_busy', 'sleep_interrupted'] as const;
const CASES = CODES.flatMap((code) => [1, 2, 4].map((concurrency) => [code, concurrency] as const));

it.each(CASES)(
  'a long file goes on after one of its parts was answered %s, with %i at once',
  async (code, concurrency) => {
    const bench = new EngineBench();
    bench.folder.put('long.txt', 'one sentence and another. '.repeat(3_000));
    bench.model.script(({ matter }, nth) => (nth === 1 ? fail(failure(code)) : answer(matter.slice(0, 40))));
    await bench.createTask({ concurrency });
    await new OwnerLife(bench).live().catch(() => undefined);
    expect([(await bench.task()).status, bench.model.calls.length > 3]).toEqual(['completed', true]);
  },
);
