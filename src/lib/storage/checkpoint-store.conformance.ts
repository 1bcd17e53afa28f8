/** What every checkpoint store must do. Run by the test of each store. */
import { describe, expect, it } from 'vitest';
import { applyCommit, mergeDrafts, type CommitDraft } from '../core/commit';
import { NO_COUNTS } from '../core/counts';
import { failure } from '../core/failure';
import { FORK_BEGIN } from '../core/fork-origin';
import { fileStepKey, folderId, partStepKey, resultKey, stepKey, taskId, type StepKey } from '../core/ids';
import type { CheckpointStore, Removal } from '../core/ports';
import type { Result } from '../core/result';
import type { StepRow } from '../core/step';
import type { TaskRow } from '../core/task';
import { besideStepsConformance } from './beside-steps.conformance';
import { sampleCommit, sampleFolder, sampleResult, sampleStep, sampleTask } from '../testing/sample-rows';

export interface TidyStore extends CheckpointStore {
  tidy(resultsBeforeMs: number): Promise<Result<Removal>>;
}

export function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.message}`);
  return result.value;
}

export function codeOf(result: Result<unknown>): string {
  return result.ok ? 'ok' : result.failure.code;
}

const keysOf = (rows: readonly (StepRow | null)[]) => rows.map((row) => row?.key ?? null);

export async function begin(store: CheckpointStore, fields: Partial<TaskRow> = {}): Promise<TaskRow> {
  const task = sampleTask(fields);
  valueOf(await store.createTask(task, sampleFolder({ id: task.folderId })));
  return valueOf(await store.own(task.id, task.createdMs + 1));
}

export async function commitTo(store: CheckpointStore, task: TaskRow, draft: CommitDraft): Promise<TaskRow> {
  return valueOf(await store.commit(sampleCommit(task, draft)));
}

/** Every row of a task, and the given results, as a reader can see them. */
async function everything(store: CheckpointStore, id: TaskRow['id'], results: readonly string[] = []) {
  return {
    task: valueOf(await store.task(id)),
    steps: valueOf(await store.stepsSince(id, -1, 10_000)),
    activity: valueOf(await store.activity(id, 10_000)),
    results: valueOf(await store.results(results.map(resultKey))),
  };
}

export function checkpointStoreConformance(create: () => Promise<TidyStore>): void {
  describe('tasks', () => {
    it('keeps a task and its folder as they were given', async () => {
      const store = await create();
      const task = sampleTask({ name: '访谈 🎙', failure: failure('rate_limited', { details: { model: 'x' } }) });
      const folder = sampleFolder({ name: '资料' });
      valueOf(await store.createTask(task, folder));
      expect(valueOf(await store.task(task.id))).toEqual(task);
      expect(valueOf(await store.folder(folder.id))).toEqual(folder);
    });

    it('makes a task once that is made twice, as after an answer that never came; another of its id is a defect', async () => {
      const store = await create();
      valueOf(await store.createTask(sampleTask(), sampleFolder()));
      valueOf(await store.createTask(sampleTask(), sampleFolder()));
      expect(valueOf(await store.tasks())).toEqual([sampleTask()]);
      await expect(store.createTask(sampleTask({ name: 'Other' }), sampleFolder())).rejects.toThrow();
    });

    it('answers null for a task, a step, a result and a folder that are not there', async () => {
      const store = await create();
      expect(valueOf(await store.task(taskId('none')))).toBeNull();
      expect(valueOf(await store.step(taskId('none'), fileStepKey('a')))).toBeNull();
      expect(valueOf(await store.result(resultKey('none')))).toBeNull();
      expect(valueOf(await store.folder(folderId('none')))).toBeNull();
    });

    it('lists tasks newest first', async () => {
      const store = await create();
      for (const [name, createdMs] of [
        ['b', 2],
        ['a', 3],
        ['c', 1],
      ] as const) {
        valueOf(await store.createTask(sampleTask({ id: taskId(name), createdMs }), sampleFolder()));
      }
      expect(valueOf(await store.tasks()).map((task) => task.id)).toEqual(['a', 'b', 'c']);
    });

    it('raises the epoch with every owner', async () => {
      const store = await create();
      await begin(store);
      const again = valueOf(await store.own(taskId('task-1'), 77));
      expect(again).toMatchObject({ epoch: 2, seq: 0, updatedMs: 77 });
      expect(valueOf(await store.task(again.id))).toEqual(again);
    });

    it('cannot own or commit to a task that is not there', async () => {
      const store = await create();
      expect(codeOf(await store.own(taskId('none'), 1))).toBe('task_missing');
      expect(codeOf(await store.commit(sampleCommit(sampleTask())))).toBe('task_missing');
      expect(valueOf(await store.tasks())).toEqual([]);
    });

    it('replaces a folder', async () => {
      const store = await create();
      await begin(store);
      valueOf(await store.putFolder(sampleFolder({ name: 'moved' })));
      expect(valueOf(await store.folder(folderId('folder-1')))?.name).toBe('moved');
    });
  });

  describe('commit', () => {
    it('writes task, steps, results and activity, all with the next seq', async () => {
      const store = await create();
      const task = await begin(store);
      const done = sampleStep('a.txt', { status: 'done', resultKey: resultKey('r'), seq: 99 });
      const after = await commitTo(store, task, {
        task: { status: 'running', stage: 'merging' },
        steps: [done, sampleStep('b.txt')],
        results: [sampleResult('r')],
        activity: [
          { what: 'started', details: {}, failure: null },
          { what: 'file_failed', details: { path: 'b.txt' }, failure: failure('file_unreadable') },
        ],
        durability: 'strict',
      });
      expect(after).toMatchObject({ seq: 1, epoch: 1, status: 'running', stage: 'merging' });
      expect(after.updatedMs).toBe(task.updatedMs + 1_000);
      const seen = await everything(store, task.id, ['r']);
      expect(seen.task).toEqual(after);
      expect(seen.steps).toEqual([
        { ...done, seq: 1 },
        { ...sampleStep('b.txt'), seq: 1, addedSeq: 1 },
      ]);
      expect(seen.results).toEqual([sampleResult('r')]);
      expect(seen.activity).toEqual([
        {
          v: 1,
          taskId: task.id,
          seq: 1,
          n: 1,
          atMs: after.updatedMs,
          what: 'file_failed',
          details: { path: 'b.txt' },
          failure: failure('file_unreadable'),
        },
        { v: 1, taskId: task.id, seq: 1, n: 0, atMs: after.updatedMs, what: 'started', details: {}, failure: null },
      ]);
    });

    it('adds counts, usage and time to what is there', async () => {
      const store = await create();
      const task = await begin(store);
      const usage = { promptTokens: 10, completionTokens: 3, estimated: false };
      const first = await commitTo(store, task, {
        counts: { ...NO_COUNTS, planned: 3, running: 1 },
        usage,
        requests: 1,
        activeMs: 50,
      });
      const second = await commitTo(store, first, {
        counts: { ...NO_COUNTS, running: -1, done: 1 },
        usage: { ...usage, estimated: true },
        requests: 2,
        reusedRequests: 1,
        activeMs: 25,
      });
      expect(second).toMatchObject({
        seq: 2,
        counts: { planned: 3, running: 0, done: 1, reused: 0, failed: 0, skipped: 0 },
        usage: { promptTokens: 20, completionTokens: 6, estimated: true },
        requests: 3,
        reusedRequests: 1,
        activeMs: 75,
      });
      expect(valueOf(await store.task(task.id))).toEqual(second);
    });

    it('refuses an older epoch and writes nothing of it', async () => {
      const store = await create();
      const old = await begin(store);
      await commitTo(store, old, { steps: [sampleStep('a.txt'), sampleStep('b.txt')], results: [sampleResult('r')] });
      const current = valueOf(await store.own(old.id, 5));
      const before = await everything(store, old.id, ['r', 'late']);
      const late = await store.commit(
        sampleCommit(old, {
          task: { status: 'failed' },
          counts: { ...NO_COUNTS, done: 1 },
          steps: [sampleStep('a.txt', { status: 'done' }), sampleStep('c.txt')],
          removedSteps: [fileStepKey('b.txt')],
          results: [sampleResult('late')],
          activity: [{ what: 'failed', details: {}, failure: null }],
        }),
      );
      expect(late.ok ? null : late.failure).toMatchObject({
        code: 'fenced',
        details: { epoch: 1, currentEpoch: 2 },
      });
      expect(await everything(store, old.id, ['r', 'late'])).toEqual(before);
      expect(codeOf(await store.commit(sampleCommit(current)))).toBe('ok');
    });

    it('refuses an epoch that was never given out', async () => {
      const store = await create();
      const task = await begin(store);
      expect(codeOf(await store.commit(sampleCommit({ ...task, epoch: 9 })))).toBe('fenced');
    });

    it('takes commits given at once one after the other', async () => {
      const store = await create();
      const task = await begin(store);
      const paths = Array.from({ length: 20 }, (_, n) => `${String(n).padStart(2, '0')}.txt`);
      const rows = await Promise.all(
        paths.map((path) =>
          commitTo(store, task, { steps: [sampleStep(path)], counts: { ...NO_COUNTS, planned: 1 }, requests: 1 }),
        ),
      );
      expect(rows.map((row) => row.seq).sort((a, b) => a - b)).toEqual(paths.map((_, n) => n + 1));
      const seen = await everything(store, task.id);
      expect(seen.task).toMatchObject({ seq: 20, requests: 20, counts: { planned: 20 } });
      expect(new Set(seen.steps.map((step) => step.seq)).size).toBe(20);
    });

    it('keeps the first of reusable results of one key, and the newest of others', async () => {
      const store = await create();
      const task = await begin(store);
      const once = { reusable: false, finishReason: 'length' as const };
      await commitTo(store, task, {
        results: [sampleResult('good', { output: 'first' }), sampleResult('cut', { output: 'first', ...once })],
      });
      const after = await commitTo(store, task, {
        results: [
          sampleResult('good', { output: 'second' }),
          sampleResult('cut', { output: 'second', ...once }),
          sampleResult('new'),
        ],
        steps: [sampleStep('a.txt')],
      });
      const outputs = valueOf(await store.results(['good', 'new', 'cut', 'none'].map(resultKey))).map(
        (row) => row?.output ?? null,
      );
      expect(outputs).toEqual(['first', 'Output of new.', 'second', null]);
      expect(valueOf(await store.step(task.id, fileStepKey('a.txt')))?.seq).toBe(after.seq);
    });

    it('lets a whole answer take the place of one that is none, and of that alone', async () => {
      const store = await create();
      const task = await begin(store);
      const cut = sampleResult('one', { output: 'cut', reusable: false, finishReason: 'length' });
      const after = await commitTo(store, task, { results: [cut] });
      const then = await commitTo(store, after, { results: [sampleResult('one', { output: 'whole' })] });
      await commitTo(store, then, { results: [sampleResult('one', { output: 'another' })] });
      expect(valueOf(await store.result(resultKey('one')))).toMatchObject({ reusable: true, output: 'whole' });
    });

    it('removes steps, unless the same commit writes them', async () => {
      const store = await create();
      const task = await begin(store);
      await commitTo(store, task, { steps: [sampleStep('a.txt'), sampleStep('b.txt'), sampleStep('c.txt')] });
      valueOf(
        await store.commit({
          ...sampleCommit(task),
          removedSteps: [fileStepKey('a.txt'), fileStepKey('b.txt'), fileStepKey('never')],
          steps: [sampleStep('b.txt', { status: 'skipped' })],
        }),
      );
      expect(
        valueOf(await store.stepsOfType(task.id, 'file', null, 10)).map(({ key, status, seq }) => [key, status, seq]),
      ).toEqual([
        ['file/b.txt', 'skipped', 2],
        ['file/c.txt', 'pending', 1],
      ]);
    });

    it('throws on a step of another task: that is a bug', async () => {
      const store = await create();
      const task = await begin(store);
      const stray = sampleStep('a.txt', { taskId: taskId('task-2') });
      await expect(store.commit(sampleCommit(task, { steps: [stray] }))).rejects.toThrow('task-2');
      expect(valueOf(await store.task(task.id))).toEqual(task);
    });

    it('hands out copies', async () => {
      const store = await create();
      const task = await begin(store);
      const inputs = [fileStepKey('a.txt')];
      const draft = { steps: [sampleStep('a.txt', { inputs })], task: { name: 'kept' } };
      await commitTo(store, task, draft);
      inputs.push(fileStepKey('b.txt'));
      const read = valueOf(await store.step(task.id, fileStepKey('a.txt')));
      expect(read?.inputs).toEqual(['file/a.txt']);
      Object.assign(valueOf(await store.task(task.id)) ?? {}, { name: 'changed' });
      Object.assign(read ?? {}, { status: 'failed' });
      expect(valueOf(await store.task(task.id))?.name).toBe('kept');
      expect(valueOf(await store.step(task.id, fileStepKey('a.txt')))?.status).toBe('pending');
    });
  });

  describe('steps', () => {
    const names = ['b.txt', 'a.txt', '中文/访谈 一.txt', 'emoji 🎙.txt', 'a/b.txt', "it's #1 %20.md", 'é.txt', 'Z.txt'];
    const inKeyOrder = names.map(fileStepKey).sort((a, b) => (a < b ? -1 : 1));

    it('gives steps in the order asked, null where there is none', async () => {
      const store = await create();
      const task = await begin(store);
      await commitTo(store, task, { steps: names.map((name) => sampleStep(name)) });
      const asked = [fileStepKey('b.txt'), fileStepKey('none'), fileStepKey('emoji 🎙.txt'), fileStepKey('b.txt')];
      expect(keysOf(valueOf(await store.steps(task.id, asked)))).toEqual([asked[0], null, asked[2], asked[3]]);
      expect(valueOf(await store.steps(task.id, []))).toEqual([]);
    });

    it('walks a type in key order, whatever the names', async () => {
      const store = await create();
      const task = await begin(store);
      const odd = [
        sampleStep('p', { key: partStepKey('a.txt', 0), type: 'part', file: null }),
        sampleStep('m', { key: stepKey('merge/1/abc'), type: 'merge', file: null }),
        sampleStep('f', { key: stepKey('file0'), type: 'file' }),
      ];
      await commitTo(store, task, { steps: [...odd, ...names.map((name) => sampleStep(name))] });
      expect(await walk(store, task, 3)).toEqual(inKeyOrder);
      expect(keysOf(valueOf(await store.stepsOfType(task.id, 'part', null, 9)))).toEqual(['part/a.txt#00000']);
      expect(valueOf(await store.stepsOfType(task.id, 'section', null, 9))).toEqual([]);
    });

    it('finds steps by status in key order and follows their changes', async () => {
      const store = await create();
      const task = await begin(store);
      await commitTo(store, task, { steps: names.map((name) => sampleStep(name)) });
      expect(keysOf(valueOf(await store.stepsByStatus(task.id, 'pending', 3)))).toEqual(inKeyOrder.slice(0, 3));
      await commitTo(store, task, { steps: [sampleStep('a.txt', { status: 'running' })] });
      expect(keysOf(valueOf(await store.stepsByStatus(task.id, 'running', 9)))).toEqual(['file/a.txt']);
      const pending = keysOf(valueOf(await store.stepsByStatus(task.id, 'pending', 99)));
      expect(pending).toEqual(inKeyOrder.filter((key) => key !== 'file/a.txt'));
    });

    it('gives what changed since a seq, oldest first, and never half a commit', async () => {
      const store = await create();
      const task = await begin(store);
      await commitTo(store, task, { steps: [sampleStep('c.txt')] });
      await commitTo(store, task, { steps: ['f', 'e', 'd'].map((name) => sampleStep(name)) });
      await commitTo(store, task, { steps: [sampleStep('b.txt')] });
      await commitTo(store, task, { steps: [sampleStep('c.txt', { status: 'done' })] });
      const since = async (seq: number, limit: number) =>
        valueOf(await store.stepsSince(task.id, seq, limit)).map((step) => `${step.seq} ${step.key}`);
      expect(await since(0, 2)).toEqual(['2 file/d', '2 file/e', '2 file/f']);
      expect(await since(0, 4)).toEqual(['2 file/d', '2 file/e', '2 file/f', '3 file/b.txt']);
      expect(await since(2, 9)).toEqual(['3 file/b.txt', '4 file/c.txt']);
      expect(await since(4, 9)).toEqual([]);
    });

    it('pages through a thousand steps without losing or repeating one', async () => {
      const store = await create();
      const task = await begin(store);
      const paths = Array.from({ length: 1_000 }, (_, n) => `会议/${n}.txt`);
      for (let at = 0; at < paths.length; at += 250) {
        await commitTo(store, task, { steps: paths.slice(at, at + 250).map((path) => sampleStep(path)) });
      }
      const wanted = paths.map(fileStepKey).sort((a, b) => (a < b ? -1 : 1));
      expect(await walk(store, task, 64)).toEqual(wanted);
      const since = new Set<StepKey>();
      for (let seq = 0; ;) {
        const page = valueOf(await store.stepsSince(task.id, seq, 100));
        for (const step of page) since.add(step.key);
        const last = page.at(-1);
        if (last === undefined) break;
        seq = last.seq;
      }
      expect([...since].sort((a, b) => (a < b ? -1 : 1))).toEqual(wanted);
    });

    it('keeps tasks apart, also when one name begins with the other', async () => {
      const store = await create();
      const one = await begin(store, { id: taskId('task') });
      const two = await begin(store, { id: taskId('task1') });
      await commitTo(store, one, {
        steps: [sampleStep('a.txt', { taskId: one.id, status: 'running' })],
        activity: [{ what: 'started', details: {}, failure: null }],
      });
      const fresh = { steps: [], activity: [], results: [], task: two };
      expect(await everything(store, two.id)).toEqual(fresh);
      expect(valueOf(await store.stepsByStatus(two.id, 'running', 9))).toEqual([]);
      expect(valueOf(await store.stepsOfType(two.id, 'file', null, 9))).toEqual([]);
      await commitTo(store, two, { steps: [sampleStep('a.txt', { taskId: two.id })] });
      expect(valueOf(await store.step(one.id, fileStepKey('a.txt')))?.status).toBe('running');
    });

    it('limits activity to the newest lines', async () => {
      const store = await create();
      const task = await begin(store);
      for (let n = 0; n < 12; n += 1) {
        await commitTo(store, task, { activity: [{ what: 'planned', details: { n }, failure: null }] });
      }
      expect(valueOf(await store.activity(task.id, 3)).map((line) => line.details.n)).toEqual([11, 10, 9]);
    });
  });

  describe('removal', () => {
    it('takes steps, activity, and the results and folder that nothing else needs', async () => {
      const store = await create();
      const gone = await begin(store, { id: taskId('gone'), folderId: folderId('own') });
      const kept = await begin(store, { id: taskId('kept'), folderId: folderId('shared') });
      const step = (task: TaskRow, path: string, key: string) =>
        sampleStep(path, { taskId: task.id, status: 'done', resultKey: resultKey(key) });
      await commitTo(store, gone, {
        task: { report: resultKey('report') },
        steps: [step(gone, 'a', 'alone'), step(gone, 'b', 'both'), step(gone, 'c', 'quoted')],
        results: ['alone', 'both', 'quoted', 'report'].map((key) => sampleResult(key)),
        activity: [{ what: 'completed', details: {}, failure: null }],
      });
      const left = await commitTo(store, kept, {
        task: { report: resultKey('quoted') },
        steps: [step(kept, 'b', 'both')],
      });
      const removal = valueOf(await store.removeTask(gone.id));
      expect(removal.removedFolders).toEqual([sampleFolder({ id: folderId('own') })]);
      expect(await everything(store, gone.id, ['alone', 'report'])).toEqual({
        task: null,
        steps: [],
        activity: [],
        results: [null, null],
      });
      expect(valueOf(await store.folder(folderId('own')))).toBeNull();
      expect(valueOf(await store.tasks())).toEqual([left]);
      expect(valueOf(await store.results(['both', 'quoted'].map(resultKey)))).toEqual([
        sampleResult('both'),
        sampleResult('quoted'),
      ]);
      expect(codeOf(await store.commit(sampleCommit(gone)))).toBe('task_missing');
    });

    it('keeps the results that a fork of another task may need', async () => {
      const store = await create();
      const gone = await begin(store, { id: taskId('gone') });
      const kept = await begin(store, { id: taskId('kept') });
      const done = (task: TaskRow, key: string) =>
        sampleStep('a', { taskId: task.id, status: 'done', resultKey: resultKey(key) });
      await commitTo(store, gone, { steps: [done(gone, 'both')], results: [sampleResult('both')] });
      const used = await commitTo(store, kept, { steps: [done(kept, 'both')] });
      await commitTo(store, used, { steps: [done(kept, 'new')], replaced: [done(kept, 'both')] });
      valueOf(await store.removeTask(gone.id));
      expect(valueOf(await store.result(resultKey('both')))).toEqual(sampleResult('both'));
      valueOf(await store.removeTask(kept.id));
      valueOf(await store.tidy(1e15));
      expect(valueOf(await store.result(resultKey('both')))).toBeNull();
    });

    it('keeps the folder of two tasks until the second goes', async () => {
      const store = await create();
      const one = await begin(store, { id: taskId('one') });
      const two = await begin(store, { id: taskId('two') });
      expect(valueOf(await store.removeTask(one.id)).removedFolders).toEqual([]);
      expect(valueOf(await store.folder(folderId('folder-1')))).not.toBeNull();
      expect(valueOf(await store.removeTask(two.id)).removedFolders).toHaveLength(1);
    });

    it('empties a task of many steps, and does nothing the second time', async () => {
      const store = await create();
      const task = await begin(store);
      const paths = Array.from({ length: 450 }, (_, n) => `${n}.txt`);
      await commitTo(store, task, {
        steps: paths.map((path) => sampleStep(path, { status: 'done', resultKey: resultKey(path) })),
        results: paths.map((path) => sampleResult(path)),
      });
      valueOf(await store.removeTask(task.id));
      const seen = await everything(store, task.id, paths);
      expect(seen.steps).toEqual([]);
      expect(seen.results.every((row) => row === null)).toBe(true);
      expect(valueOf(await store.removeTask(task.id))).toEqual({ removedFolders: [] });
    });

    it('LIF-04: leaves a task alone that has another owner than whoever deletes it has seen', async () => {
      const store = await create();
      const seen = await begin(store);
      const taken = valueOf(await store.own(seen.id, seen.updatedMs));
      expect(codeOf(await store.removeTask(seen.id, seen.epoch))).toBe('fenced');
      expect(valueOf(await store.task(seen.id))).toEqual(taken);
      valueOf(await store.removeTask(seen.id, taken.epoch));
      expect(valueOf(await store.task(seen.id))).toBeNull();
    });

    it('leaves a task alone that a fork has still to copy from, and makes no such fork of one that is gone', async () => {
      const store = await create();
      const seen = await begin(store);
      const origin = { taskId: seen.id, name: seen.name, seq: 0, atMs: 0, keepsResults: true, copying: FORK_BEGIN };
      const forkedAs = (name: string) => sampleTask({ id: taskId(name), forkedFrom: origin });
      valueOf(await store.createTask(forkedAs('fork'), sampleFolder()));
      expect(codeOf(await store.removeTask(seen.id, seen.epoch))).toBe('fenced');
      expect(valueOf(await store.task(seen.id))).toEqual(seen);
      const fork = valueOf(await store.own(taskId('fork'), seen.updatedMs));
      await commitTo(store, fork, { task: { forkedFrom: { ...origin, copying: null } } });
      valueOf(await store.removeTask(seen.id, seen.epoch));
      expect(codeOf(await store.createTask(forkedAs('late'), sampleFolder()))).toBe('task_missing');
      expect(valueOf(await store.task(taskId('late')))).toBeNull();
    });

    it('tidies away old results that nothing uses any more', async () => {
      const store = await create();
      const task = await begin(store);
      const aged = (key: string, createdMs: number) => sampleResult(key, { createdMs, lastUsedMs: createdMs });
      const before = sampleStep('a', { status: 'done', resultKey: resultKey('before') });
      await commitTo(store, task, {
        task: { report: resultKey('report') },
        steps: [before],
        results: [aged('before', 10), aged('report', 10), aged('young', 20)],
      });
      await commitTo(store, task, {
        steps: [{ ...before, resultKey: resultKey('after') }],
        results: [aged('after', 10)],
      });
      valueOf(await store.tidy(20));
      const found = valueOf(await store.results(['before', 'report', 'young', 'after'].map(resultKey)));
      expect(found.map((row) => row?.key ?? null)).toEqual([null, 'report', 'young', 'after']);
    });
  });

  besideStepsConformance(create);

  it('agrees with the plain meaning of commits', async () => {
    const store = await create();
    const task = await begin(store);
    const draft: CommitDraft = { task: { name: 'x' }, requests: 2, steps: [sampleStep('q')] };
    const commit = { taskId: task.id, epoch: 1, atMs: 4, ...mergeDrafts([draft, draft]) };
    expect(valueOf(await store.commit(commit))).toEqual(applyCommit(task, commit));
  });
}

async function walk(store: CheckpointStore, task: TaskRow, limit: number): Promise<StepKey[]> {
  const keys: StepKey[] = [];
  for (let after: StepKey | null = null; ;) {
    const page: readonly StepRow[] = valueOf(await store.stepsOfType(task.id, 'file', after, limit));
    keys.push(...page.map((step) => step.key));
    const last = page.at(-1);
    if (last === undefined) return keys;
    after = last.key;
  }
}
