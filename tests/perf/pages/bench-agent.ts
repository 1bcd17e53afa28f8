import type { AgentApi } from '../../../src/lib/bridge/agent-api';
import { WorkerHost } from '../../../src/lib/bridge/worker-host';
import { settled } from '../../../src/lib/core/counts';
import type { TaskId } from '../../../src/lib/core/ids';
import type { Result } from '../../../src/lib/core/result';
import type { BatchOptions, TaskRow } from '../../../src/lib/core/task';
import { openDatabase } from '../../../src/lib/storage/database';

export const CONCURRENCY = 6;

const OPTIONS: BatchOptions = {
  v: 1,
  template: 'summary',
  instructions: '',
  language: 'en',
  include: [],
  exclude: [],
  concurrency: CONCURRENCY,
};

const rows = openDatabase();

/** The app's own worker, behind the app's own bridge. */
export async function startAgent(spawn: () => Worker): Promise<AgentApi> {
  const host = new WorkerHost<AgentApi>({ spawn });
  await host.start();
  return host.api;
}

export async function startTask(agent: AgentApi, folder: FileSystemDirectoryHandle, endpoint: string): Promise<TaskId> {
  const endpointId = unwrap(
    await agent.saveEndpoint({ id: null, name: 'bench', baseUrl: endpoint, model: 'bench', keepKey: 'stored' }),
  );
  const source = { kind: 'handle', handle: folder } as const;
  return unwrap(await agent.createTask({ name: 'bench', source, options: OPTIONS, endpointId }));
}

export async function taskRow(id: TaskId): Promise<TaskRow> {
  return (await rows.tasks.get(id)) as TaskRow;
}

export async function onlyTask(): Promise<TaskRow> {
  const [row] = await rows.tasks.toArray();
  if (row === undefined) throw new Error('there is no task');
  return row as TaskRow;
}

export async function settledFiles(id: TaskId): Promise<number> {
  return settled((await taskRow(id)).counts);
}

export function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.message}`);
  return result.value;
}

const WRITTEN_AT_ONCE = 32;

/** Small files that all differ, in the browser's own file system, which needs nobody's permission. */
export async function makeFiles(count: number): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory();
  const folder = await root.getDirectoryHandle('bench-files', { create: true });
  for (let from = 0; from < count; from += WRITTEN_AT_ONCE) {
    const indices = Array.from({ length: Math.min(WRITTEN_AT_ONCE, count - from) }, (_, offset) => from + offset);
    await Promise.all(indices.map((index) => writeFile(folder, index)));
  }
  return folder;
}

async function writeFile(folder: FileSystemDirectoryHandle, index: number): Promise<void> {
  const below = await folder.getDirectoryHandle(String(index % 50).padStart(2, '0'), { create: true });
  const file = await below.getFileHandle(`${String(index).padStart(6, '0')}.txt`, { create: true });
  const stream = await file.createWritable();
  await stream.write(fileText(index));
  await stream.close();
}

/** Some 400 bytes, as long for each number. */
export function fileText(index: number): string {
  const number = String(index).padStart(6, '0');
  return `Sample ${number}\n${`The value measured for sample ${number} lies within the bounds. `.repeat(6)}\n`;
}
