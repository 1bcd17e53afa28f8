import { afterEach, expect, it } from 'vitest';
import { endpointId, folderId, importId, resultKey, taskId } from '../core/ids';
import { sampleEffect, sampleFolder, sampleResult, sampleStep } from '../testing/sample-rows';
import { IdbCheckpointStore } from './checkpoint-store-idb';
import { begin, codeOf, commitTo, valueOf } from './checkpoint-store.conformance';
import { importedTask } from './import-task';
import { readExport } from './read-export';
import { closeScratch, scratchConnection, scratchDatabase, scratchName } from './scratch-database';
import { exportLines } from './task-export';

const ID = taskId('0198c0de-0000-4000-8000-00000000000a');
const FOLDER = folderId('0198c0de-0000-4000-8000-00000000000b');
const ENDPOINT = endpointId('0198c0de-0000-4000-8000-00000000000c');
const NEW = folderId('0198c0de-0000-4000-8000-00000000000d');
const OF = { taskId: ID };
const HERE = { importId: importId('one'), folderId: NEW, endpointId: ENDPOINT, nowMs: 9 };

afterEach(closeScratch);

async function exportedTask() {
  const name = scratchName();
  const store = new IdbCheckpointStore(scratchConnection(name));
  const replaced = [sampleStep('b.txt', { ...OF, status: 'done', resultKey: resultKey('r0') })];
  await commitTo(store, await begin(store, { id: ID, folderId: FOLDER, endpointId: ENDPOINT }), {
    steps: [sampleStep('a.txt', { ...OF, status: 'done', resultKey: resultKey('r1') }), sampleStep('b.txt', OF)],
    replaced,
    results: [sampleResult('r1'), sampleResult('r0')],
    activity: [{ what: 'started', details: {}, failure: null }],
    effects: [sampleEffect('e1', OF)],
    task: { status: 'running' },
  });
  const database = scratchDatabase(name);
  return valueOf(await readExport(exportLines({ database, files: null, id: ID, nowMs: 7 })));
}

it('what one database exported is the same task in another', async () => {
  const whole = importedTask(await exportedTask(), HERE);
  const name = scratchName();
  const store = new IdbCheckpointStore(scratchConnection(name));
  expect(codeOf(await store.addTask(whole))).toBe('ok');
  const again = valueOf(
    await readExport(exportLines({ database: scratchDatabase(name), files: null, id: ID, nowMs: 8 })),
  );
  expect({ ...again, folder: { ...again.folder, handle: null } }).toEqual(whole);
  expect(whole.results.map(({ key, output }) => [key, output])).toEqual([
    ['imported/one/r1', 'Output of r1.'],
    ['imported/one/r0', 'Output of r0.'],
  ]);
  expect(codeOf(await store.own(ID, 1))).toBe('ok');
});

it('it is refused whole while a task of its id is there, and what is there stays', async () => {
  const exported = await exportedTask();
  const name = scratchName();
  const store = new IdbCheckpointStore(scratchConnection(name));
  await begin(store, { id: ID });
  expect(codeOf(await store.addTask(importedTask(exported, HERE)))).toBe('import_task_exists');
  expect(valueOf(await store.stepsOfType(ID, 'file', null, 9))).toEqual([]);
  expect(codeOf(await store.removeTask(ID))).toBe('ok');
  const database = scratchDatabase(name);
  await database.results.put(sampleResult('r1', { output: 'Mine.' }));
  await database.folders.put({ ...sampleFolder({ id: NEW }), name: 'Mine' });
  expect(codeOf(await store.addTask(importedTask(exported, HERE)))).toBe('ok');
  expect(valueOf(await store.result(resultKey('r1')))?.output).toBe('Mine.');
  expect(valueOf(await store.result(resultKey('imported/one/r1')))?.output).toBe('Output of r1.');
  expect(valueOf(await store.folder(NEW))?.name).toBe('Mine');
});
