import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FolderRow } from '../core/folder';
import { folderId, taskId } from '../core/ids';
import { sampleTask } from '../testing/sample-rows';
import { findEarlierTask } from './folder-choice-earlier';

let root: FileSystemDirectoryHandle;
const open = (name: string) => root.getDirectoryHandle(name, { create: true });

function folder(id: string, kind: FolderRow['kind'], name: string, handle: FolderRow['handle'] = null): FolderRow {
  return { v: 1, id: folderId(id), kind, name, handle, createdMs: 0, lastUsedMs: 0 };
}

const task = (id: string, folderOf: string, updatedMs: number) =>
  sampleTask({ id: taskId(id), folderId: folderId(folderOf), updatedMs });

beforeAll(async () => {
  const storage = await navigator.storage.getDirectory();
  root = await storage.getDirectoryHandle('earlier-test', { create: true });
});

afterAll(async () => {
  const storage = await navigator.storage.getDirectory();
  await storage.removeEntry('earlier-test', { recursive: true });
});

describe('ASK-02: an earlier task of the same folder', () => {
  it('is found by the folder itself, whatever its name, and the newest one counts', async () => {
    const folders = [
      folder('f1', 'handle', 'notes', await open('a')),
      folder('f2', 'handle', 'notes', await open('b')),
      folder('f3', 'handle', 'renamed', await open('a')),
    ];
    const tasks = [task('t1', 'f1', 5), task('t2', 'f2', 9), task('t3', 'f3', 7)];
    const again = { kind: 'handle', handle: await open('a') } as const;
    expect((await findEarlierTask(again, 'a', tasks, folders))?.id).toBe('t3');
  });

  it('is not taken for one of another folder of the same name, or of a copy', async () => {
    const folders = [folder('f1', 'handle', 'notes', await open('a')), folder('f2', 'snapshot', 'notes')];
    const tasks = [task('t1', 'f1', 5), task('t2', 'f2', 9)];
    const other = { kind: 'handle', handle: await open('c') } as const;
    expect(await findEarlierTask(other, 'notes', tasks, folders)).toBeNull();
  });

  it('is found by name for copies, and always for the sample', async () => {
    const folders = [folder('f1', 'snapshot', 'notes'), folder('f2', 'sample', 'Sample')];
    const tasks = [task('t1', 'f1', 5), task('t2', 'f2', 9)];
    const copy = { kind: 'snapshot', id: folderId('new') } as const;
    expect((await findEarlierTask(copy, 'notes', tasks, folders))?.id).toBe('t1');
    expect(await findEarlierTask(copy, 'other', tasks, folders)).toBeNull();
    expect((await findEarlierTask({ kind: 'sample' }, '', tasks, folders))?.id).toBe('t2');
  });
});
