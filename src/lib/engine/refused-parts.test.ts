import { describe, expect, it } from 'vitest';
import { failure } from '../core/failure';
import type { Completion } from '../core/model';
import { fail, ok, type Result } from '../core/result';
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

describe('an answer to a part that is no good keeps no turn from the other parts', () => {
  const found = (what: object) => {
    const made = answer('{"Number":"A"');
    return made.ok ? ok({ ...made.value, ...what }) : made;
  };
  const live = async (concurrency: number, script: (nth: number) => Result<Completion>) => {
    const bench = new EngineBench();
    bench.folder.put('long.txt', 'one sentence and another. '.repeat(3_000));
    bench.model.script(({ request }, nth) => (request.schema ? script(nth) : answer('Section.')));
    const fields = [{ name: 'Number', type: 'text', description: '' }] as const;
    await bench.createTask({ concurrency, template: 'extract', instructions: '', fields });
    await new OwnerLife(bench).live();
    return bench.files();
  };

  it.each([1, 2])('when the server read a piece of the prompt only, with %i at once', async (concurrency) => {
    const cut = found({ inputCut: { keptTokens: 2_048, windowTokens: 2_048 } });
    const files = await live(concurrency, (nth) => (nth <= concurrency ? cut : answer('{"Number":"A"}')));
    expect(files).toMatchObject([{ status: 'done', attempts: 2 }]);
  });

  it.each([1, 2])('when it does not fit the fields and cannot be repaired, with %i at once', async (concurrency) => {
    const files = await live(concurrency, () => found({ unmet: 'no JSON' }));
    expect(files).toMatchObject([{ status: 'failed', failure: { code: 'schema_unmet' } }]);
  });
});
