import { describe, expect, it } from 'vitest';
import { failure } from '../../core/failure';
import { fileStepKey, inputHash, resultKey, taskId, type ResultKey } from '../../core/ids';
import type { Begun, PartialRow } from '../../core/partial';
import { fail, ok, type Result } from '../../core/result';
import { FakeClock, settle } from '../../testing/fake-clock';
import { samplePartial, sampleTask } from '../../testing/sample-rows';
import { PartialKeeper } from './partial-keeper';

const KEY = fileStepKey('a.txt');
const HASH = inputHash('h1');
const TASK = sampleTask({ epoch: 3 });

function keeper(costMs = 1) {
  const clock = new FakeClock();
  const owner = new AbortController();
  const written: PartialRow[][] = [];
  const refusal: { now: Result<void> | null } = { now: null };
  const made = new PartialKeeper({
    store: {
      putPartials: async (id, epoch, partials) => {
        expect([id, epoch]).toEqual([TASK.id, 3]);
        await clock.sleep(costMs);
        if (refusal.now) return refusal.now;
        written.push([...partials]);
        return ok();
      },
    },
    clock,
    estimateTokens: (text) => text.length,
    row: () => TASK,
    signal: owner.signal,
  });
  return { made, clock, owner, written, refusal };
}

const textsOf = (written: readonly (readonly PartialRow[])[]) => written.map((rows) => rows.map(({ text }) => text));

describe('answers that stream in', () => {
  it('are written down now and then, all of them at once, each with its whole text', async () => {
    const { made, clock, written } = keeper();
    made.keep(HASH, KEY, 'The');
    made.keep(inputHash('h2'), fileStepKey('b.txt'), 'A');
    made.keep(HASH, KEY, 'The end');
    expect(written).toEqual([]);
    await clock.advance(5_000);
    expect(textsOf(written)).toEqual([['The end', 'A']]);
    expect(written[0]?.[0]).toMatchObject({ taskId: TASK.id, request: 'h1', stepKey: KEY, tokens: 7 });
    made.keep(HASH, KEY, 'The end of it');
    await clock.advance(5_000);
    expect(textsOf(written)).toEqual([['The end', 'A'], ['The end of it']]);
  });

  it('are written the more seldom the longer writing takes', async () => {
    const flushesIn = async (costMs: number) => {
      const { made, clock, written } = keeper(costMs);
      for (let n = 1; n <= 80; n += 1) {
        made.keep(HASH, KEY, 'x'.repeat(n));
        await clock.advance(250);
      }
      return written.length;
    };
    const [cheap, dear] = [await flushesIn(0.01), await flushesIn(6)];
    expect(cheap).toBeGreaterThan(2 * dear);
    expect(dear).toBeGreaterThanOrEqual(3);
  });

  it('are written at once when asked, one flush after the other', async () => {
    const { made, clock, written } = keeper();
    made.keep(HASH, KEY, 'The');
    const flushes = [made.flush(), made.flush()];
    await clock.run(Promise.all(flushes));
    expect(textsOf(written)).toEqual([['The']]);
  });

  it('are written once more when their owner is stopped', async () => {
    const { made, clock, owner, written } = keeper();
    made.keep(HASH, KEY, 'The');
    owner.abort();
    await clock.advance(10);
    await settle();
    expect(textsOf(written)).toEqual([['The']]);
  });

  it('of a try that began anew replace the earlier ones once they say more', async () => {
    const { made, clock, written } = keeper();
    made.adopt([samplePartial('h1', { taskId: taskId('task-1'), text: 'Four', tokens: 4 })]);
    made.keep(HASH, KEY, 'Fo');
    await clock.advance(6_000);
    expect(written).toEqual([]);
    made.keep(HASH, KEY, 'Four and');
    await clock.advance(6_000);
    expect(textsOf(written)).toEqual([['Four and']]);
  });

  it('are tried again with the next flush while storage refuses', async () => {
    const { made, clock, written, refusal } = keeper();
    refusal.now = fail(failure('storage_full'));
    made.keep(HASH, KEY, 'The');
    await clock.advance(6_000);
    refusal.now = null;
    made.keep(HASH, KEY, 'The end');
    await clock.advance(6_000);
    expect(textsOf(written)).toEqual([['The end']]);
  });
});

describe('a finished answer', () => {
  const RESULT = resultKey('h1');
  const settled = (made: PartialKeeper, ...keys: ResultKey[]) => made.settledWith(keys.map((key) => ({ key })));

  it('makes what was written of it needless, in the commit that saves it and in no other', async () => {
    const { made, clock } = keeper();
    made.keep(HASH, KEY, 'The');
    await clock.advance(6_000);
    made.answered(HASH, RESULT);
    expect(settled(made, resultKey('other'))).toEqual([]);
    expect(settled(made, RESULT)).toEqual(['h1']);
    expect(settled(made, RESULT)).toEqual([]);
  });

  it('also when an earlier owner had written it, and under whatever key it is saved', () => {
    const { made } = keeper();
    made.adopt([samplePartial('h1')]);
    made.answered(HASH, resultKey('h1/cut'));
    expect(settled(made, resultKey('h1/cut'))).toEqual(['h1']);
  });

  it('that came before anything was written leaves nothing to write and nothing to remove', async () => {
    const { made, clock, written } = keeper();
    made.keep(HASH, KEY, 'The');
    made.answered(HASH, RESULT);
    expect(settled(made, RESULT)).toEqual([]);
    await clock.advance(6_000);
    expect(written).toEqual([]);
    expect(made.atRisk).toBeNull();
  });
});

it('a step that has come to its end leaves no partial answer, whatever its end was', async () => {
  const { made, clock, written } = keeper();
  made.keep(HASH, KEY, 'The');
  await clock.advance(6_000);
  made.keep(HASH, KEY, 'The end');
  made.keep(inputHash('h2'), fileStepKey('b.txt'), 'Another');
  expect(made.settledOf(KEY)).toEqual(['h1']);
  expect(made.settledOf(KEY)).toEqual([]);
  await clock.advance(6_000);
  expect(textsOf(written)).toEqual([['The'], ['Another']]);
});

it('says the most that was lately not written down', async () => {
  const { made, clock } = keeper();
  for (const length of [3, 10, 12]) {
    made.keep(HASH, KEY, 'x'.repeat(length));
    await clock.advance(6_000);
  }
  expect(made.atRisk?.tokens).toBe(7);
  expect(made.atRisk?.flushMs).toBeGreaterThanOrEqual(100);
});

describe('what an answer can be gone on with from', () => {
  const begun = (content: string, more: Partial<Begun> = {}): Begun => {
    return { content, reasoning: '', tokens: content.length, served: 'hermes', stream: null, ...more };
  };

  it('is written down with its text, and known at once', async () => {
    const { made, clock, written } = keeper();
    made.keep(HASH, KEY, 'The', begun(' The', { tokens: 2 }));
    expect(made.begunOf(HASH)).toEqual(begun(' The', { tokens: 2 }));
    await clock.advance(6_000);
    expect(written[0]?.[0]).toMatchObject({ text: 'The', tokens: 2, begun: begun(' The', { tokens: 2 }) });
  });

  it('is what an earlier owner left', () => {
    const { made } = keeper();
    made.adopt([samplePartial('h1', { begun: begun(' Four') }), samplePartial('h2')]);
    expect([made.begunOf(HASH), made.begunOf(inputHash('h2'))]).toEqual([begun(' Four'), null]);
  });

  it('stays what said most, until another model answers', async () => {
    const { made, clock, written } = keeper();
    made.keep(HASH, KEY, 'Four and', begun(' Four and'));
    await clock.advance(6_000);
    made.keep(HASH, KEY, 'Fo', begun(' Fo'));
    expect(made.begunOf(HASH)?.content).toBe(' Four and');
    made.keep(HASH, KEY, 'F', begun(' F', { served: 'other' }));
    expect(made.begunOf(HASH)?.content).toBe(' F');
    await clock.advance(6_000);
    expect(textsOf(written)).toEqual([['Four and'], ['F']]);
  });

  it.each([
    ['the answer is whole', (made: PartialKeeper) => made.answered(HASH, resultKey('h1'))],
    ['the step has come to its end', (made: PartialKeeper) => made.settledOf(KEY)],
    ['it was no good', (made: PartialKeeper) => made.forget(HASH)],
  ])('is forgotten when %s', async (_, end) => {
    const { made, clock } = keeper();
    made.keep(HASH, KEY, 'The', begun(' The'));
    await clock.advance(6_000);
    end(made);
    expect(made.begunOf(HASH)).toBeNull();
  });
});
