import { afterEach, describe, expect, it } from 'vitest';
import { resultKey, taskId } from '../core/ids';
import {
  sampleEffect,
  sampleEndpoint,
  sampleFolder,
  sampleResult,
  sampleStep,
  sampleTask,
} from '../testing/sample-rows';
import { IdbCheckpointStore } from './checkpoint-store-idb';
import { begin, codeOf, commitTo, valueOf } from './checkpoint-store.conformance';
import { listTasks } from './reading';
import { closeScratch, scratchConnection, scratchDatabase, scratchName } from './scratch-database';
import { exportLines } from './task-export';

const ID = sampleTask().id;
const OTHER = taskId('other');

afterEach(closeScratch);

interface Line {
  readonly table?: string;
  readonly row?: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/** Two tasks with something in every table. */
async function made() {
  const name = scratchName();
  const store = new IdbCheckpointStore(scratchConnection(name));
  const step = { status: 'done', resultKey: resultKey('r1') } as const;
  await commitTo(store, await begin(store), {
    steps: [sampleStep('a.txt', step), sampleStep('b.txt')],
    results: [sampleResult('r1')],
    activity: [{ what: 'started', details: {}, failure: null }],
    effects: [sampleEffect('e1')],
    task: { status: 'running' },
  });
  valueOf(await store.createTask(sampleTask({ id: OTHER }), sampleFolder()));
  return { store, database: scratchDatabase(name) };
}

async function exported(database: ReturnType<typeof scratchDatabase>): Promise<readonly Line[]> {
  const lines: Line[] = [];
  for await (const line of exportLines({ database, files: null, id: ID, nowMs: 7 }))
    lines.push(JSON.parse(line) as Line);
  return lines;
}

const DAMAGE = [
  ['tasks', ID, { status: 'no such status' }, 'row_unreadable'],
  ['tasks', ID, { counts: null }, 'row_unreadable'],
  ['tasks', ID, { v: 2 }, 'row_from_newer_version'],
  ['steps', [ID, 'file/a.txt'], { inputs: 'none' }, 'row_unreadable'],
  ['steps', [ID, 'file/a.txt'], { v: 9 }, 'row_from_newer_version'],
  ['results', 'r1', { output: 7 }, 'row_unreadable'],
  ['results', 'r1', { v: 2 }, 'row_from_newer_version'],
] as const;

describe('damage', () => {
  it.each(DAMAGE)(
    'in %s at %j: is told with its code, all of the task can be saved, others are untouched',
    async (table, key, change, code) => {
      const { store, database } = await made();
      const row = (await database.table(table).get(key as never)) as object;
      await database.table(table).put({ ...row, ...change });
      const told = {
        tasks: async () => codeOf(await store.task(ID)),
        steps: async () => codeOf(await store.stepsOfType(ID, 'file', null, 9)),
        results: async () => codeOf(await store.results([resultKey('r1')])),
      };
      expect(await told[table]()).toBe(code);
      const { readable, quarantined } = await listTasks(database);
      expect(readable.map(({ id }) => id)).toContain(OTHER);
      expect(quarantined.map(({ id, failure }) => [id, failure.code])).toEqual(table === 'tasks' ? [[ID, code]] : []);
      const lines = await exported(database);
      expect(lines.find((line) => line.table === table && line.row && hasAll(line.row, change))).toBeDefined();
      expect(lines[0]).toMatchObject({ talaria: 'task', v: 1, id: ID, exportedMs: 7 });
      expect(lines.at(-1)).toEqual({ end: true, lines: lines.length - 2 });
      const tables = new Set(lines.flatMap((line) => line.table ?? []));
      expect([...tables].sort()).toEqual([
        'activity',
        'checkpoints',
        'effects',
        'folders',
        'results',
        'steps',
        'tasks',
      ]);
      expect(codeOf(await store.own(OTHER, 1))).toBe('ok');
      expect(codeOf(await store.removeTask(ID))).toBe('ok');
      expect((await listTasks(database)).readable.map(({ id }) => id)).toEqual([OTHER]);
      expect(await database.steps.count()).toBe(0);
    },
  );

  it('export tells the model that answered, and nothing of where it is', async () => {
    const { database } = await made();
    await database.endpoints.put(sampleEndpoint());
    const [head] = await exported(database);
    expect(head).toMatchObject({ model: sampleEndpoint().model });
    expect(JSON.stringify(head)).not.toContain('127.0.0.1');
  });

  it('export has the answers that finished steps had before, each once', async () => {
    const { store, database } = await made();
    const before = sampleStep('b.txt', { status: 'done', resultKey: resultKey('r0') });
    const shared = sampleStep('c.txt', { status: 'done', resultKey: resultKey('r1') });
    await commitTo(store, valueOf(await store.own(ID, 3)), {
      steps: [sampleStep('b.txt'), shared],
      replaced: [before, shared],
      results: [sampleResult('r0')],
    });
    const results = (await exported(database)).flatMap(({ table, row }) => (table === 'results' ? [row?.['key']] : []));
    expect(results.sort()).toEqual(['r0', 'r1']);
  });

  it('export holds every row of a long task, and nothing of another', async () => {
    const { store, database } = await made();
    const task = valueOf(await store.own(ID, 3));
    const steps = Array.from({ length: 1_200 }, (_, n) => sampleStep(`many/${String(n)}.txt`));
    await commitTo(store, task, { steps });
    const lines = await exported(database);
    expect(lines.filter(({ table }) => table === 'steps')).toHaveLength(1_202);
    expect(lines.filter(({ table }) => table === 'tasks')).toHaveLength(1);
  });
});

function hasAll(row: object, fields: object): boolean {
  return Object.entries(fields).every(([name, value]) => Reflect.get(row, name) === value);
}
