import { mergeDrafts } from '../../../../src/lib/core/commit';
import type { FileEntry, FolderRow } from '../../../../src/lib/core/folder';
import { contentDigest, endpointId, folderId, resultKey, taskId, type TaskId } from '../../../../src/lib/core/ids';
import type { StepRow } from '../../../../src/lib/core/step';
import { newTaskRow } from '../../../../src/lib/engine/new-task-row';
import { newFileStep, stepDraft } from '../../../../src/lib/engine/step-rows';
import { createFolderOpener } from '../../../../src/lib/folders/folder-opener';
import { availableLocks } from '../../../../src/lib/platform/locks-web';
import { openStorage } from '../../../../src/lib/storage/open-storage';
import { doneStepOf, resultOf } from '../storage/bench-steps';
import { clock, commitOf, OPTIONS, unwrap } from '../storage/bench-store';

export interface FillOrder {
  readonly endpoint: string;
  readonly files: number;
}

/** Files that are not done when the task is left. */
const PENDING = 64;
const AT_ONCE = 64;
const STEPS_A_COMMIT = 500;

const opfsRoot = () => navigator.storage.getDirectory();

/**
 * Fills the app's own storage with a paused task whose first `files` files are done and whose others are not, by commits as
 * the engine makes them. The folder is in the browser's own file system: it needs nobody's permission.
 */
export async function fillTask({ endpoint, files }: FillOrder): Promise<TaskId> {
  const handle = await makeFolder(files + PENDING);
  const nowMs = clock.now();
  const folder: FolderRow = {
    v: 1,
    id: folderId('bench'),
    kind: 'handle',
    name: 'bench',
    handle,
    createdMs: nowMs,
    lastUsedMs: nowMs,
  };
  const opener = createFolderOpener({ sampleBaseUrl: '/', opfsRoot });
  const opened = unwrap(await opener.open(folder));
  const entries: FileEntry[] = [];
  for await (const found of opened.walk(new AbortController().signal)) entries.push(...found);
  entries.sort((a, b) => (a.path < b.path ? -1 : 1));

  const storage = openStorage({ locks: availableLocks(), clock, opfsRoot });
  const endpointRow = {
    v: 1,
    id: endpointId('bench'),
    name: 'bench',
    baseUrl: endpoint,
    model: 'bench',
    key: 'none',
    contextTokens: 32_768,
    createdMs: nowMs,
    updatedMs: nowMs,
    lastCheck: null,
  } as const;
  unwrap(await storage.profiles.putEndpoint(endpointRow));
  const { checkpoints: store } = storage;
  const task = newTaskRow({
    id: taskId('bench'),
    name: 'bench',
    options: OPTIONS,
    folder,
    endpointId: endpointRow.id,
    nowMs,
  });
  unwrap(await store.createTask(task, folder));
  const owned = unwrap(await store.own(task.id, nowMs));
  const commit = async (draft: Parameters<typeof commitOf>[1]) => unwrap(await store.commit(commitOf(owned, draft)));
  await commit({ task: { status: 'running', startedMs: nowMs } });
  for (let from = 0; from < entries.length; from += STEPS_A_COMMIT) {
    const drafts = entries.slice(from, from + STEPS_A_COMMIT).map((entry, offset) => {
      const index = from + offset;
      const step = newFileStep(task.id, { ...entry, digest: null });
      return index < files ? finished(step, index) : stepDraft(null, step);
    });
    await commit(mergeDrafts(drafts));
  }
  await commit({ task: { status: 'paused', reason: 'user' }, durability: 'strict' });
  await store.release(task.id);
  storage.close();
  return task.id;
}

function finished(step: StepRow, index: number) {
  const result = { ...resultOf(index), key: resultKey(resultOf(index).key) };
  const file = step.file && { ...step.file, digest: contentDigest(result.key) };
  return { ...stepDraft(null, doneStepOf({ ...step, file }, result)), results: [result] };
}

/** The finished ones are empty: only their names, sizes and times are looked at. */
async function makeFolder(count: number): Promise<FileSystemDirectoryHandle> {
  const folder = await (await opfsRoot()).getDirectoryHandle('bench-files', { create: true });
  for (let from = 0; from < count; from += AT_ONCE) {
    const indices = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, offset) => from + offset);
    await Promise.all(indices.map((index) => makeFile(folder, index, index >= count - PENDING)));
  }
  return folder;
}

async function makeFile(folder: FileSystemDirectoryHandle, index: number, hasText: boolean): Promise<void> {
  const name = String(index).padStart(6, '0');
  const below = await folder.getDirectoryHandle(name.slice(0, 3), { create: true });
  const file = await below.getFileHandle(`${name}.txt`, { create: true });
  if (!hasText) return;
  const stream = await file.createWritable();
  await stream.write(`Interview ${name}\n${'The values lie within the bounds. '.repeat(40)}\n`);
  await stream.close();
}
