import { expect, it } from 'vitest';
import { sampleCommit, sampleTask } from '../testing/sample-rows';
import { applyCommit, mergeDrafts } from './commit';
import type { Recovery } from './task';

const saved = { reattached: 1, continued: 2, tokens: 300 };
const recovery: Recovery = { atMs: 5, settledBefore: 1, repeated: 0, inFlight: 2, continuedTokens: 0 };

it('adds what was not generated again to the task and to what is told of its interruption', () => {
  const task = sampleTask({ recovery });
  const once = applyCommit(task, sampleCommit(task, { saved }));
  expect(once).toMatchObject({ saved, recovery: { ...recovery, continuedTokens: 300 } });
  const twice = applyCommit(once, sampleCommit(once, { saved }));
  expect(twice).toMatchObject({
    saved: { reattached: 2, continued: 4, tokens: 600 },
    recovery: { continuedTokens: 600 },
  });
});

it('counts on when the recovery is written from a row that is older', () => {
  const task = sampleTask({ recovery: { ...recovery, continuedTokens: 300 } });
  const after = applyCommit(task, sampleCommit(task, { saved, task: { recovery: { ...recovery, repeated: 1 } } }));
  expect(after.recovery).toEqual({ ...recovery, repeated: 1, continuedTokens: 600 });
});

it('begins anew with the next interruption', () => {
  const task = sampleTask({ recovery: { ...recovery, continuedTokens: 300 }, saved });
  const after = applyCommit(task, sampleCommit(task, { task: { recovery: { ...recovery, atMs: 9 } } }));
  expect(after).toMatchObject({ saved, recovery: { atMs: 9, continuedTokens: 0 } });
  expect(applyCommit(task, sampleCommit(task, { task: { recovery: null } })).recovery).toBeNull();
});

it('sums what was saved together, and says nothing where nothing was', () => {
  expect(mergeDrafts([{ saved }, {}, { saved }]).saved).toEqual({ reattached: 2, continued: 4, tokens: 600 });
  expect(mergeDrafts([{}])).not.toHaveProperty('saved');
  expect(applyCommit(sampleTask(), sampleCommit(sampleTask()))).not.toHaveProperty('saved');
});
