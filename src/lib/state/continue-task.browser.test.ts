import { afterEach, expect, test, vi } from 'vitest';
import type { AgentApi } from '../bridge/agent-api';
import { failure } from '../core/failure';
import type { FolderRow } from '../core/folder';
import { folderId, taskId } from '../core/ids';
import { fail, ok } from '../core/result';
import { agent } from './agent.svelte';
import { continueAll, continueTask } from './continue-task';
import { rows } from './page-rows';

type Permission = 'granted' | 'denied' | 'prompt';

const SHOWN = { epoch: 3, status: 'paused' } as const;

const task = (name: string) => ({ ...SHOWN, id: taskId(name), folderId: folderId(`folder of ${name}`) });

/** Notes, in order, what the browser and the worker are asked. */
function world(permissions: Readonly<Record<string, Permission | Error>>, answer: Permission | Error = 'granted') {
  const asked: string[] = [];
  const settle = (what: Permission | Error) => (what instanceof Error ? Promise.reject(what) : Promise.resolve(what));
  vi.spyOn(rows, 'folder').mockImplementation(async (id) => {
    const name = id.replace('folder of ', '');
    const found = permissions[name];
    const handle =
      found === undefined
        ? null
        : {
            kind: 'directory',
            name,
            queryPermission: () => settle(found),
            requestPermission: () => (asked.push(`permission ${name}`), settle(answer)),
          };
    return ok({ id, name, handle } as unknown as FolderRow);
  });
  const api = { continueTask: async (id: string) => (asked.push(`continue ${id}`), ok()) } as unknown as AgentApi;
  vi.spyOn(agent, 'ask').mockImplementation((question) => question(api));
  return asked;
}

afterEach(() => vi.restoreAllMocks());

test('a folder that is allowed is not asked for', async () => {
  const asked = world({ a: 'granted' });
  expect(await continueTask(task('a'))).toEqual(ok());
  expect(asked).toEqual(['continue a']);
});

test('the worker is told what of the task was shown', async () => {
  world({ a: 'granted' });
  const continued = vi.fn(async () => ok());
  vi.spyOn(agent, 'ask').mockImplementation((question) => question({ continueTask: continued } as unknown as AgentApi));
  await continueTask(task('a'));
  expect(continued).toHaveBeenCalledWith('a', SHOWN);
});

test('a folder is asked for before the worker needs it', async () => {
  const asked = world({ a: 'prompt' });
  expect(await continueTask(task('a'))).toEqual(ok());
  expect(asked).toEqual(['permission a', 'continue a']);
});

test.each(['denied', 'prompt', new Error('no click')] as const)('answered %s, the task stays', async (answer) => {
  const asked = world({ a: 'prompt' }, answer);
  const result = await continueTask(task('a'));
  expect(result.ok ? null : result.failure).toMatchObject({ code: 'folder_permission', details: { folder: 'a' } });
  expect(asked).toEqual(['permission a']);
});

test('a copy or a sample needs no permission', async () => {
  const asked = world({});
  expect(await continueTask(task('sample'))).toEqual(ok());
  expect(asked).toEqual(['continue sample']);
});

test('a folder whose row cannot be read is left to the worker to judge', async () => {
  const asked = world({});
  vi.mocked(rows.folder).mockResolvedValue(fail(failure('row_unreadable')));
  expect(await continueTask(task('a'))).toEqual(ok());
  expect(asked).toEqual(['continue a']);
});

test('of several tasks, folders are asked for one at a time, and a refusal stops only its own', async () => {
  const asked = world({ a: 'prompt', b: new Error('gone'), c: 'prompt' });
  const results = await continueAll([task('a'), task('b'), task('c')]);
  expect(asked).toEqual(['permission a', 'continue a', 'permission c', 'continue c']);
  expect([...results].map(([id, { ok: went }]) => `${id} ${went}`)).toEqual(['a true', 'b false', 'c true']);
});
