import { describe, expect, it } from 'vitest';
import { fork } from '../lib/engine/fork';
import { TaskRun } from '../lib/engine/task-run';
import { endpointId, folderId, importId, resultKey, taskId, type TaskId } from '../lib/core/ids';
import { inputHashOf } from '../lib/core/input-hash';
import { ok } from '../lib/core/result';
import { MEMORY } from '../lib/testing/disks';
import { EngineBench, TASK } from '../lib/testing/engine-bench';
import { openerOf } from '../lib/testing/fake-folder';
import { LONG_FILES, SHORT_FILES, type JobCase } from '../lib/testing/job-cases';
import { plainDigest } from '../lib/testing/plain-digest';
import { PropertyWorld, undisturbed } from '../lib/testing/property-world';
import { sampleResult } from '../lib/testing/sample-rows';
import { rowsOf } from '../lib/testing/task-rows';
import { MemoryCheckpointStore } from '../lib/storage/checkpoint-store-memory';
import { importedTask } from '../lib/storage/import-task';
import type { ExportedTask } from '../lib/storage/read-export';

const OTHER = taskId('fedcba987654');

async function exportOf(bench: EngineBench): Promise<ExportedTask> {
  const past = await bench.store.checkpoints(TASK, null, 10_000);
  return {
    ...(await rowsOf(bench.store, TASK)),
    folder: null,
    model: null,
    effects: [],
    checkpoints: past.ok ? past.value : [],
  };
}

/** Another browser, with the same folder. */
function elsewhere({ folder }: EngineBench) {
  const store = new MemoryCheckpointStore();
  const bench = new EngineBench({ store, folders: openerOf(folder) });
  const take = async (exported: ExportedTask, id = 'one') => {
    const here = { importId: importId(id), folderId: folderId('new'), endpointId: endpointId('endpoint-1'), nowMs: 9 };
    expect((await store.addTask(importedTask(exported, here))).ok).toBe(true);
  };
  return { bench, store, take };
}

/** As `elsewhere`, and with the same model. */
function elsewhereOf({ bench, job }: PropertyWorld) {
  const made = elsewhere(bench);
  made.bench.model.contextTokens = job.contextTokens;
  made.bench.model.script((call) => job.answer(call, 1));
  return made;
}

async function hashesAsked({ model }: EngineBench): Promise<readonly string[]> {
  return Promise.all(model.calls.map(({ request }) => inputHashOf(plainDigest, model.identity, request)));
}

describe('what a file says was answered is no answer of any other task', () => {
  async function victimOf(change: (honest: ExportedTask) => ExportedTask) {
    const honest = new EngineBench();
    honest.folder.put('a.txt', 'a text');
    await honest.createTask();
    await honest.run();
    const { bench, take } = elsewhere(honest);
    const forged = change(await exportOf(honest));
    await take({
      ...forged,
      task: { ...forged.task, id: OTHER },
      steps: forged.steps.map((step) => ({ ...step, taskId: OTHER })),
      checkpoints: forged.checkpoints.map((row) => ({ ...row, taskId: OTHER })),
    });
    await bench.createTask();
    await bench.run();
    return { bench, report: await bench.report(), honestReport: await honest.report() };
  }

  const forged = (rows: ExportedTask['results'], change: object = {}) =>
    rows.map((row) => ({ ...row, output: 'FORGED', ...change }));

  it.each([
    ['of steps that the file has', (honest: ExportedTask) => ({ ...honest, results: forged(honest.results) })],
    [
      'that no step of the file has',
      (honest: ExportedTask) => ({ ...honest, results: forged(honest.results), steps: [], checkpoints: [] }),
    ],
    [
      'that are said to be cut',
      (honest: ExportedTask) => ({
        ...honest,
        results: forged(honest.results, { reusable: false, finishReason: 'length' }),
      }),
    ],
    [
      'of steps of the past',
      ({ steps, ...honest }: ExportedTask) => ({
        ...honest,
        steps: [],
        checkpoints: honest.checkpoints.map((row) => ({ ...row, replaced: steps })),
        results: forged(honest.results),
      }),
    ],
  ])('%s', async (_, change) => {
    const { bench, report, honestReport } = await victimOf(change);
    expect(report).toBe(honestReport);
    const rows = await rowsOf(bench.store, TASK);
    expect(rows.results.filter(({ output }) => output.includes('FORGED'))).toEqual([]);
    expect(bench.model.fileCalls).toHaveLength(1);
  });

  it('not even one that lies under the hash of a request, and the answer to that takes its place', async () => {
    const bench = new EngineBench();
    bench.folder.put('a.txt', 'a text');
    await bench.createTask();
    await bench.run();
    const [step] = await bench.files();
    const planted = sampleResult(step?.resultKey ?? '', { reusable: false, finishReason: 'length', output: 'FORGED' });
    const { bench: again, store } = elsewhere(bench);
    await store.restoreRows(OTHER, { steps: [], results: [planted], activity: [] }, 1);
    await again.createTask();
    await again.run();
    expect(await again.report()).toBe(await bench.report());
    const stored = await again.store.result(planted.key);
    expect(stored.ok && stored.value).toMatchObject({ reusable: true, output: 'About: a text' });
  });
});

describe('what was answered before it was exported is not asked again', () => {
  /** As far as an owner came that died at the commit. */
  async function halfDone(job: JobCase, nth: number): Promise<PropertyWorld> {
    const world = await PropertyWorld.make(MEMORY, job);
    expect(await world.liveUntil({ point: 'after-commit', nth })).toBe(true);
    return world;
  }

  async function finish(bench: EngineBench, id: TaskId = TASK): Promise<void> {
    expect((await bench.clock.run(new TaskRun(bench.ports, id).run({ retryFailed: false }))).ok).toBe(true);
  }

  const moments = [SHORT_FILES, LONG_FILES].flatMap((job) => [6, 9, 12, 16, 20, 24].map((nth) => [job, nth] as const));

  it.each(moments.map(([job, nth]) => [job.name, nth, job] as const))(
    '%s, at commit %i: continued, taken in twice, forked',
    async (_, nth, job) => {
      const { outcome } = await undisturbed(job);
      const world = await halfDone(job, nth);
      const exported = await exportOf(world.bench);
      const answered = new Set<string>(
        exported.results.flatMap(({ key, reusable }) => (reusable ? [resultKey(key)] : [])),
      );
      const asked = async (bench: EngineBench) => (await hashesAsked(bench)).filter((hash) => answered.has(hash));

      const first = elsewhereOf(world);
      await first.take(exported);
      const second = elsewhereOf(world);
      await second.take(await exportOf(first.bench), 'two');
      const forked = elsewhereOf(world);
      await forked.take(exported);
      const { seq } = await forked.bench.task();
      expect((await fork(forked.bench.ports, { id: OTHER, parent: TASK, seq, changes: { name: 'Notes' } })).ok).toBe(
        true,
      );

      await finish(first.bench);
      await finish(second.bench);
      await finish(forked.bench, OTHER);
      expect([await asked(first.bench), await asked(second.bench), await asked(forked.bench)]).toEqual([[], [], []]);
      expect(await first.bench.report()).toBe(outcome.report);
      expect(await second.bench.report()).toBe(outcome.report);
      const { task, results } = await rowsOf(forked.bench.store, OTHER);
      expect(results.find(({ key }) => key === task.report)?.output).toBe(outcome.report);
    },
  );

  it('and a report that goes on with another model names both', async () => {
    const world = await halfDone(SHORT_FILES, 9);
    const { bench, take } = elsewhereOf(world);
    await take(await exportOf(world.bench));
    bench.model.identity = 'openai/another';
    bench.model.script((call) => {
      const said = SHORT_FILES.answer(call, 1);
      return said.ok ? ok({ ...said.value, model: 'another' }) : said;
    });
    await finish(bench);
    expect(await bench.report()).toContain('· Models: another, scripted\n');
    expect((await world.outcome()).report).not.toContain('another');
  });

  it('of a task that is at its end nothing at all, and its tree stands', async () => {
    const world = await PropertyWorld.make(MEMORY, LONG_FILES);
    await world.liveUntil();
    const { bench, take } = elsewhereOf(world);
    await take(await exportOf(world.bench));
    const before = (await rowsOf(bench.store, TASK)).steps;
    await finish(bench);
    expect(bench.model.calls).toEqual([]);
    expect((await rowsOf(bench.store, TASK)).steps).toEqual(before);
    expect(await bench.report()).toBe((await world.outcome()).report);
  });
});
