import { expect, it } from 'vitest';
import type { EffectState } from '../../core/effect';
import { contentDigest } from '../../core/ids';
import { sampleEffect } from '../../testing/sample-rows';
import { nextWrite } from './next-write';

const [FIRST, OURS, AFTER, FOREIGN] = ['1', '2', '3', '4'].map(contentDigest) as [
  ReturnType<typeof contentDigest>,
  ReturnType<typeof contentDigest>,
  ReturnType<typeof contentDigest>,
  ReturnType<typeof contentDigest>,
];

const meant = (seen: typeof OURS | null, isBeforeLedger = false) => ({ after: AFTER, seen, isBeforeLedger, nowMs: 7 });
const file = (state: EffectState, after = OURS, ours: typeof OURS | null = FIRST) => ({
  last: sampleEffect('report', { nth: 2, state, after, before: FIRST }),
  ours,
});

it('is the first change of a file that was never written, and expects nothing there', () => {
  expect(nextWrite(null, meant(null))).toEqual({ nth: 1, before: null, superseded: null });
  expect(nextWrite(null, meant(FOREIGN))).toEqual({ nth: 1, before: null, superseded: null });
});

it('takes what is there for ours in a task that wrote before there was a ledger', () => {
  expect(nextWrite(null, meant(FOREIGN, true))).toEqual({ nth: 1, before: FOREIGN, superseded: null });
});

it.each(['intended', 'contested', 'approved', 'in_doubt'] as const)(
  'goes on with the same change while it is %s',
  (state) => {
    expect(nextWrite(file(state, AFTER), meant(FOREIGN))).toEqual({ nth: 2, before: FIRST, superseded: null });
  },
);

it('is none while what was written once is there, or anything that has come in its place', () => {
  expect(nextWrite(file('done', AFTER), meant(AFTER))).toBeNull();
  expect(nextWrite(file('done', AFTER), meant(FOREIGN))).toBeNull();
  expect(nextWrite(file('abandoned', AFTER), meant(FOREIGN))).toBeNull();
});

it('is another change where the file is gone', () => {
  for (const state of ['done', 'abandoned'] as const) {
    expect(nextWrite(file(state, AFTER), meant(null))).toEqual({ nth: 3, before: null, superseded: null });
  }
});

it('is another change where the content is another, over what was last ours', () => {
  expect(nextWrite(file('done', OURS, OURS), meant(OURS))).toEqual({ nth: 3, before: OURS, superseded: null });
  expect(nextWrite(file('abandoned'), meant(FOREIGN))).toEqual({ nth: 3, before: FIRST, superseded: null });
});

it('ends a change under way as the target tells', () => {
  const done = nextWrite(file('intended'), meant(OURS));
  expect(done).toMatchObject({ nth: 3, before: OURS, superseded: { nth: 2, state: 'done', settledMs: 7 } });
  const never = nextWrite(file('intended'), meant(FIRST));
  expect(never).toMatchObject({ nth: 3, before: FIRST, superseded: { state: 'abandoned' } });
});

it('keeps what the person allowed, and asks anew where they have not answered', () => {
  expect(nextWrite(file('approved'), meant(FOREIGN))).toMatchObject({
    before: FIRST,
    superseded: { state: 'abandoned' },
  });
  const asked = nextWrite({ ...file('contested'), ours: OURS }, meant(FOREIGN));
  expect(asked).toMatchObject({ nth: 3, before: OURS, superseded: { state: 'abandoned' } });
});
