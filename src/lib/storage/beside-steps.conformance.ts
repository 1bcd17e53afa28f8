/** What every checkpoint store must do with effects, partial answers, the task's past and its owner's sign of life. */
import { describe, expect, it } from 'vitest';
import { effectKey, fileStepKey, resultKey, taskId } from '../core/ids';
import type { CheckpointStore } from '../core/ports';
import { sampleEffect, samplePartial, sampleResult, sampleStep, sampleTask } from '../testing/sample-rows';
import { begin, codeOf, commitTo, valueOf } from './checkpoint-store.conformance';

const ID = sampleTask().id;

export function besideStepsConformance(create: () => Promise<CheckpointStore>): void {
  describe('effects', () => {
    it('are kept as they were given, and found by key and by state', async () => {
      const store = await create();
      const intended = ['b', 'a'].map((key) => sampleEffect(key));
      const task = await commitTo(store, await begin(store), { effects: intended, durability: 'strict' });
      expect(valueOf(await store.effect(ID, effectKey('a')))).toEqual({ ...sampleEffect('a'), seq: 1 });
      const done = sampleEffect('a', { state: 'done', settledMs: 9 });
      await commitTo(store, task, { effects: [done] });
      const keysIn = async (state: 'intended' | 'done', limit: number) =>
        valueOf(await store.effectsInState(ID, state, limit)).map(({ key, seq }) => [key, seq]);
      expect(await keysIn('intended', 9)).toEqual([['b', 1]]);
      expect(await keysIn('done', 9)).toEqual([['a', 2]]);
      expect(await keysIn('intended', 0)).toEqual([]);
      expect(valueOf(await store.effect(ID, effectKey('none')))).toBeNull();
      expect(valueOf(await store.effect(taskId('other'), effectKey('a')))).toBeNull();
    });

    it('of one commit count in order: the last word on a key wins', async () => {
      const store = await create();
      await commitTo(store, await begin(store), { effects: [sampleEffect('a'), sampleEffect('a', { state: 'done' })] });
      expect(valueOf(await store.effect(ID, effectKey('a')))?.state).toBe('done');
    });
  });

  describe('partial answers', () => {
    it('replace one another by request, without a checkpoint, until a commit settles them', async () => {
      const store = await create();
      const task = await begin(store);
      const keep = (...partials: ReturnType<typeof samplePartial>[]) => store.putPartials(ID, task.epoch, partials);
      valueOf(await keep(samplePartial('r1'), samplePartial('r2')));
      valueOf(await keep(samplePartial('r1', { text: 'The longer', tokens: 2 })));
      expect(valueOf(await store.partial(ID, resultKey('r1')))?.text).toBe('The longer');
      expect(valueOf(await store.partials(ID)).map(({ request }) => request)).toEqual(['r1', 'r2']);
      expect(valueOf(await store.task(ID))?.seq).toBe(0);
      await commitTo(store, task, { results: [sampleResult('r1')], settledPartials: [resultKey('r1')] });
      expect(valueOf(await store.partials(ID)).map(({ request }) => request)).toEqual(['r2']);
    });

    it('of a fenced owner are refused', async () => {
      const store = await create();
      const { epoch } = await begin(store);
      valueOf(await store.own(ID, 3));
      expect(codeOf(await store.putPartials(ID, epoch, [samplePartial('r1')]))).toBe('fenced');
      expect(codeOf(await store.putPartials(taskId('none'), 1, [samplePartial('r1')]))).toBe('task_missing');
      expect(valueOf(await store.partials(ID))).toEqual([]);
    });
  });

  describe('the past', () => {
    it('has a checkpoint for what adds, finishes or takes back a step or turns the task, and for nothing else', async () => {
      const store = await create();
      let task = await commitTo(store, await begin(store), {
        steps: [sampleStep('a.txt')],
        task: { status: 'running' },
      });
      const added = valueOf(await store.step(ID, fileStepKey('a.txt')));
      if (!added) throw new Error('no step');
      task = await commitTo(store, task, { steps: [{ ...added, status: 'running' }] });
      task = await commitTo(store, task, { requests: 1, activity: [{ what: 'held', details: {}, failure: null }] });
      const done = { ...added, status: 'done' } as const;
      task = await commitTo(store, task, { steps: [done] });
      await commitTo(store, task, { steps: [added], replaced: [{ ...done, seq: 4 }] });
      const past = valueOf(await store.checkpoints(ID, null, 9));
      expect(past.map(({ seq }) => seq)).toEqual([5, 4, 1]);
      expect(past[0]?.replaced).toEqual([{ ...done, seq: 4 }]);
      expect(past[2]).toMatchObject({ epoch: 1, status: 'running', stage: 'files', counts: task.counts });
      expect(added.addedSeq).toBe(1);
      expect(valueOf(await store.step(ID, fileStepKey('a.txt')))?.addedSeq).toBe(1);
    });

    it('is read newest first, in pages', async () => {
      const store = await create();
      let task = await begin(store);
      for (let n = 0; n < 5; n += 1) task = await commitTo(store, task, { steps: [sampleStep(`${String(n)}.txt`)] });
      const page = async (before: number | null) =>
        valueOf(await store.checkpoints(ID, before, 2)).map(({ seq }) => seq);
      expect([await page(null), await page(4), await page(2), await page(1)]).toEqual([[5, 4], [3, 2], [1], []]);
    });
  });

  describe('the lease', () => {
    it('grows with every beat of the owner, and of nobody else', async () => {
      const store = await create();
      const first = await begin(store);
      expect(valueOf(await store.lease(ID))).toBeNull();
      valueOf(await store.beat(ID, first.epoch));
      valueOf(await store.beat(ID, first.epoch));
      expect(valueOf(await store.lease(ID))).toEqual({ v: 1, id: ID, epoch: first.epoch, beat: 2 });
      const second = valueOf(await store.own(ID, 3));
      expect(codeOf(await store.beat(ID, first.epoch))).toBe('fenced');
      valueOf(await store.beat(ID, second.epoch));
      expect(valueOf(await store.lease(ID))).toMatchObject({ epoch: second.epoch, beat: 3 });
      expect(codeOf(await store.beat(taskId('none'), 1))).toBe('task_missing');
    });
  });

  it('all of it goes with the task, and with no other', async () => {
    const store = await create();
    for (const id of [ID, taskId('task-2')]) {
      const task = await begin(store, { id });
      await commitTo(store, task, {
        effects: [sampleEffect('a', { taskId: id })],
        steps: [sampleStep('a.txt', { taskId: id })],
      });
      valueOf(await store.putPartials(id, task.epoch, [samplePartial('r', { taskId: id })]));
      valueOf(await store.beat(id, task.epoch));
    }
    valueOf(await store.removeTask(ID));
    const left = async (id: typeof ID) => [
      valueOf(await store.effectsInState(id, 'intended', 9)).length,
      valueOf(await store.partials(id)).length,
      valueOf(await store.checkpoints(id, null, 9)).length,
      valueOf(await store.lease(id))?.beat ?? 0,
    ];
    expect(await left(ID)).toEqual([0, 0, 0, 0]);
    expect(await left(taskId('task-2'))).toEqual([1, 1, 1, 1]);
  });
}
