import { describe, expect, it } from 'vitest';
import { failure } from '../core/failure';
import { fail } from '../core/result';
import { EngineBench } from '../testing/engine-bench';
import { answer } from '../testing/scripted-model';

const WINDOW = 4_096;

const numbered = (words: number) => Array.from({ length: words }, (_, n) => `w${String(n)} `).join('');

/** One long file and a model that counts `ratio` tokens for each estimated one. */
function bench(ratio: number | null, text = numbered(8_000)) {
  const of = new EngineBench();
  of.folder.put('a.txt', text);
  of.model.contextTokens = WINDOW;
  of.model.tokenRatio = ratio;
  return of;
}

const pieces = (of: EngineBench) =>
  of.model.calls.filter(({ request }) => ['file', 'part'].includes(request.material.what));
const textsOf = (of: EngineBench) => [...new Set(pieces(of).map(({ matter }) => matter))].sort();
const longest = (of: EngineBench) => Math.max(...pieces(of).map(({ matter }) => matter.length));

describe('a model that counts more tokens than estimated', () => {
  it('is given shorter pieces from the first request on, and one that counts fewer the same as ever', async () => {
    const [plain, double, half] = [bench(null), bench(2), bench(0.5)];
    for (const each of [plain, double, half]) {
      await each.createTask();
      await each.run();
      expect(await each.task()).toMatchObject({ status: 'completed', contextTokens: null });
    }
    expect(longest(double)).toBeLessThan(longest(plain) * 0.55);
    expect(pieces(half).map(({ matter }) => matter)).toEqual(pieces(plain).map(({ matter }) => matter));
    expect((await double.task()).tokenRatio).toEqual({ source: 'here', ratio: 2 });
  });

  it('is counted as when the task began, whatever is learned of it until a restart', async () => {
    const of = bench(1.5);
    await of.createTask();
    of.model.script((_, nth) => {
      of.model.tokenRatio = 3;
      if (nth === 3) run.stop('pause');
      return answer('Said.');
    });
    const run = of.newRun();
    await of.clock.run(run.run({ retryFailed: false }));
    of.model.script(() => answer('Said.'));
    await of.run();
    expect(await of.task()).toMatchObject({ status: 'completed', tokenRatio: { source: 'here', ratio: 1.5 } });
    // The same pieces as if nothing had happened: what was answered before is not asked about in another form.
    const undisturbed = bench(1.5);
    await undisturbed.createTask();
    await undisturbed.run();
    expect(textsOf(of)).toEqual(textsOf(undisturbed));
  });

  it('is counted anew once it refused a request as too long, without a limit that it did not state', async () => {
    const of = bench(null);
    of.model.contextTokens = null;
    await of.createTask();
    of.model.script(({ matter }) => {
      if (matter.length < 8_000) return answer('Said.');
      of.model.tokenRatio = 2;
      return fail(failure('context_overflow', { details: {} }));
    });
    await of.run();
    expect(await of.task()).toMatchObject({ status: 'completed', contextTokens: null, tokenRatio: { ratio: 2 } });
  });

  it('says nothing of another model', async () => {
    const of = bench(2);
    await of.createTask();
    await of.run();
    of.model.source = 'there';
    of.model.tokenRatio = null;
    of.folder.put('b.txt', 'other '.repeat(8_000));
    const asked = pieces(of).length;
    await of.run();
    expect((await of.task()).tokenRatio).toEqual({ source: 'there', ratio: 1 });
    const later = pieces(of).slice(asked);
    expect(Math.max(...later.map(({ matter }) => matter.length))).toBeGreaterThan(8_000);
  });
});
