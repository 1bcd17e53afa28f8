import { afterEach, expect, test, vi } from 'vitest';
import type { AgentApi } from '../bridge/agent-api';
import type { FolderRow } from '../core/folder';
import { effectKey, folderId, taskId } from '../core/ids';
import { ok } from '../core/result';
import type { TaskRow } from '../core/task';
import { agent } from './agent.svelte';
import { rows } from './page-rows';
import { TaskActions } from './task-actions.svelte';

const task = { id: taskId('t/1'), folderId: folderId('f') } as TaskRow;
const handle = { kind: 'directory', name: 'akten' } as FileSystemDirectoryHandle;

/** Calls that reach the worker, by name. */
function workerCalls(): string[] {
  const calls: string[] = [];
  const api = new Proxy({} as AgentApi, {
    get: (_target, name) => (name === 'then' ? undefined : async () => (calls.push(String(name)), ok())),
  });
  vi.spyOn(agent, 'ask').mockImplementation((question) => question(api));
  return calls;
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('a folder picked again sets the task going once', async () => {
  vi.stubGlobal('showDirectoryPicker', async () => handle);
  const calls = workerCalls();
  const actions = new TaskActions(() => task);
  await actions.pickFolderAgain();
  expect(calls).toEqual(['rebindFolder']);
  expect(actions.failure).toBeNull();
});

test('a picker that was closed again changes nothing', async () => {
  vi.stubGlobal('showDirectoryPicker', () => Promise.reject(new DOMException('closed', 'AbortError')));
  const calls = workerCalls();
  const actions = new TaskActions(() => task);
  await actions.pickFolderAgain();
  expect(calls).toEqual([]);
  expect(actions.failure).toBeNull();
  expect(actions.isBusy('folder')).toBe(false);
});

test('without a picker the folder is said to be missing', async () => {
  vi.stubGlobal('showDirectoryPicker', undefined);
  const calls = workerCalls();
  const actions = new TaskActions(() => task);
  await actions.pickFolderAgain();
  expect(calls).toEqual([]);
  expect(actions.failure?.code).toBe('folder_missing');
});

test('a task that has no folder here asks for one to write its report into', async () => {
  vi.spyOn(rows, 'folder').mockResolvedValue(ok({ kind: 'handle', handle: null } as FolderRow));
  const pick = vi.fn(async (_: object) => handle);
  vi.stubGlobal('showDirectoryPicker', pick);
  const calls = workerCalls();
  const actions = new TaskActions(() => task);
  await actions.allowWriting();
  expect(calls).toEqual(['rebindFolder']);
  expect(pick.mock.calls[0]?.[0]).toMatchObject({ mode: 'readwrite' });
});

test('an action under way is not begun twice', async () => {
  const { promise, resolve } = Promise.withResolvers<FileSystemDirectoryHandle>();
  const pick = vi.fn(() => promise);
  vi.stubGlobal('showDirectoryPicker', pick);
  const calls = workerCalls();
  const actions = new TaskActions(() => task);
  const both = [actions.pickFolderAgain(), actions.pickFolderAgain()];
  resolve(handle);
  await Promise.all(both);
  expect(pick).toHaveBeenCalledTimes(1);
  expect(calls).toEqual(['rebindFolder']);
});

test('a question is asked again only when what was answered about has changed since', async () => {
  workerCalls();
  const actions = new TaskActions(() => task);
  const [report, table] = [effectKey('a'.repeat(64)), effectKey('b'.repeat(64))];
  expect(actions.isAskedAgain({ key: report, seq: 7 })).toBe(false);
  await actions.answer([{ key: report, seq: 7 }], 'overwrite');
  expect(actions.isAskedAgain({ key: report, seq: 7 })).toBe(false);
  expect(actions.isAskedAgain({ key: table, seq: 9 })).toBe(false);
  expect(actions.isAskedAgain({ key: report, seq: 9 })).toBe(true);
});
