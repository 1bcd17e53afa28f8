import { describe, expect, it } from 'vitest';
import { failure } from '../core/failure';
import { endpointId, folderId, importId, resultKey } from '../core/ids';
import { EngineBench, TASK } from '../testing/engine-bench';
import { MEMORY } from '../testing/disks';
import { openerOf } from '../testing/fake-folder';
import { SHORT_FILES } from '../testing/job-cases';
import { JournalDisk } from '../testing/journal-disk';
import { PropertyWorld, undisturbed } from '../testing/property-world';
import { sampleFolder, sampleOptions, sampleResult, sampleStep, sampleTask } from '../testing/sample-rows';
import { rowsOf } from '../testing/task-rows';
import { importedTask } from './import-task';
import type { ExportedTask } from './read-export';
import { nextExpiry } from './retention';

const ENDPOINT = sampleTask().endpointId;
const HERE = { importId: importId('one'), folderId: folderId('new'), endpointId: ENDPOINT, nowMs: 9 };

function exported(fields: Partial<ExportedTask> = {}): ExportedTask {
  const none = { model: null, steps: [], results: [], activity: [], effects: [], checkpoints: [] };
  return { task: sampleTask({ status: 'running', seq: 4 }), folder: sampleFolder(), ...none, ...fields };
}

describe('a task that came from a file', () => {
  it.each([
    ['was running', { status: 'running' }],
    ['waited for its server', { status: 'paused', reason: 'endpoint', failure: failure('endpoint_unreachable') }],
    ['was paused', { status: 'paused', reason: 'user' }],
  ] as const)('that %s waits for its folder, and knows none of this browser’s', (_, fields) => {
    const { task, folder } = importedTask(exported({ task: sampleTask(fields) }), HERE);
    expect(task).toMatchObject({ status: 'paused', reason: 'permission', failure: { code: 'folder_not_given' } });
    expect(folder).toMatchObject({ id: 'new', kind: 'handle', handle: null, name: task.folderName });
    expect(task.folderId).toBe('new');
  });

  it('that asked something still asks it', () => {
    const asks = { status: 'paused', reason: 'attention', failure: failure('deadline_reached') } as const;
    expect(importedTask(exported({ task: sampleTask(asks) }), HERE).task).toMatchObject(asks);
  });

  it('of the sample has its folder, and waits for the person', () => {
    const { task, folder } = importedTask(exported({ folder: sampleFolder({ kind: 'sample' }) }), HERE);
    expect(folder).toMatchObject({ id: 'sample', kind: 'sample' });
    expect(task).toMatchObject({ folderId: 'sample', status: 'paused', reason: 'user' });
  });

  it('writes nothing that nobody asked for', () => {
    const done = sampleTask({ status: 'completed', output: 'due' });
    expect(importedTask(exported({ task: done }), HERE).task).toMatchObject({ status: 'completed', output: 'refused' });
  });

  it('asks no more at once than any task may', () => {
    const task = sampleTask({ options: sampleOptions({ concurrency: 1e9 }) });
    expect(importedTask(exported({ task }), HERE).task.options.concurrency).toBe(64);
  });

  it('counts its own steps, and is behind none of them', () => {
    const steps = [sampleStep('a.txt', { status: 'skipped', seq: 7 }), sampleStep('b.txt', { seq: 2 })];
    const { task } = importedTask(exported({ steps }), HERE);
    expect(task.counts).toMatchObject({ planned: 2, skipped: 1, done: 0 });
    expect(task.seq).toBe(7);
  });

  it('goes on with the endpoint that is said, and knows of another server what is true of that', () => {
    const task = sampleTask({ contextTokens: 4_096 });
    expect(importedTask(exported({ task }), HERE).task).toMatchObject({ endpointId: ENDPOINT, contextTokens: 4_096 });
    const mine = importedTask(exported({ task }), { ...HERE, endpointId: endpointId('mine') });
    expect(mine.task).toMatchObject({ endpointId: 'mine', contextTokens: null });
  });
});

describe('taken into a store', () => {
  it('it goes on where it was, also when the database is lost first', async () => {
    const { outcome } = await undisturbed(SHORT_FILES);
    const elsewhere = await PropertyWorld.make(MEMORY, SHORT_FILES);
    await elsewhere.liveUntil({ point: 'after-commit', nth: 8 });
    const rows = await rowsOf(elsewhere.store, TASK);
    const asked = rows.steps.filter(({ type, status }) => type === 'file' && status === 'done').length;
    expect(asked).toBeGreaterThan(1);

    const disk = new JournalDisk();
    const whole = importedTask({ ...exported(), ...rows, folder: null }, HERE);
    expect((await disk.open().importTask(whole)).ok).toBe(true);
    disk.killAndWipe();
    const bench = new EngineBench({ folders: openerOf(elsewhere.bench.folder) });
    bench.store = disk.open();
    bench.model.script((call) => Promise.resolve(SHORT_FILES.answer(call, 1)));
    await bench.run();
    expect(await bench.report()).toBe(outcome.report);
    const files = bench.model.calls.filter(({ request }) => request.material.what === 'file');
    expect(files).toHaveLength(6 - asked);
  });

  it('one that ended long ago is kept for as long as one that ended now', () => {
    const nowMs = Date.UTC(2026, 10, 1);
    const ended = { status: 'completed', finishedMs: Date.UTC(2026, 0, 1), updatedMs: Date.UTC(2026, 0, 1) } as const;
    const { task } = importedTask(exported({ task: sampleTask(ended) }), { ...HERE, nowMs });
    expect(nextExpiry(task, 30)).toBe(nowMs + 30 * 86_400_000);
    expect(task.finishedMs).toBe(ended.finishedMs);
  });

  it('it is not deleted at the next start for a mark that was left of a deletion before', async () => {
    const disk = new JournalDisk();
    const store = disk.open();
    await store.tasks();
    const whole = importedTask(exported({ steps: [sampleStep('a.txt', { seq: 1 })] }), HERE);
    await disk.files.bury(whole.task.id, whole.task.epoch);
    expect((await store.importTask(whole)).ok).toBe(true);
    disk.killAndWipe();
    expect((await rowsOf(disk.open(), whole.task.id)).task.name).toBe(whole.task.name);
  });

  it('it never takes the place of one that is there', async () => {
    const disk = new JournalDisk();
    const store = disk.open();
    const mine = sampleTask({ name: 'Mine' });
    await store.createTask(mine, sampleFolder());
    const whole = importedTask(exported({ steps: [sampleStep('a.txt', { seq: 1 })] }), HERE);
    expect(await store.importTask(whole)).toMatchObject({ ok: false, failure: { code: 'import_task_exists' } });
    const kept = await rowsOf(store, mine.id);
    expect(kept.task.name).toBe('Mine');
    expect(kept.steps).toEqual([]);
  });

  it('it leaves results as they are that others made, and brings its own', async () => {
    const disk = new JournalDisk();
    const store = disk.open();
    const mine = sampleResult('r1', { reusable: false });
    await disk.inner.restoreRows(TASK, { steps: [], activity: [], results: [mine] }, 1);
    const step = sampleStep('a.txt', { status: 'done', resultKey: mine.key, seq: 1 });
    const results = [sampleResult('r1', { reusable: false, output: 'Another.' }), sampleResult('r2')];
    const whole = importedTask(exported({ steps: [step], results }), HERE);
    expect((await store.importTask(whole)).ok).toBe(true);
    const keys = [mine.key, ...whole.steps.flatMap(({ resultKey }) => resultKey ?? []), resultKey('r2')];
    const found = await store.results(keys);
    expect(found.ok && found.value.map((row) => row?.output)).toEqual(['Output of r1.', 'Another.', undefined]);
  });
});
