import { expect, test } from 'vitest';
import { failure } from '../lib/core/failure';
import { ok } from '../lib/core/result';
import type { StepRow } from '../lib/core/step';
import { FakeFolder } from '../lib/testing/fake-folder';
import { sampleStep, sampleTask } from '../lib/testing/sample-rows';
import { compareWithTask } from './folder-comparison';

function known(folder: FakeFolder, paths: readonly string[], gone: readonly string[] = []) {
  const of = async (path: string): Promise<StepRow> => {
    const stat = await folder.stat(path);
    const entry = stat.ok ? stat.value : null;
    return sampleStep(path, { status: 'done', file: entry && { ...entry, digest: null } });
  };
  const forgotten = gone.map((path) => sampleStep(path, { status: 'skipped', failure: failure('file_gone') }));
  return Promise.all(paths.map(of)).then((steps) => [...steps, ...forgotten]);
}

function compare(folder: Pick<FakeFolder, 'walk'>, steps: readonly StepRow[], isOffered = (_path: string) => true) {
  const task = sampleTask({ counts: { planned: steps.length, running: 0, done: 0, reused: 0, failed: 0, skipped: 0 } });
  const byKey = new Map(steps.map((step) => [step.key, step]));
  return compareWithTask({
    store: {
      task: () => Promise.resolve(ok(task)),
      steps: (_, keys) => Promise.resolve(ok(keys.map((key) => byKey.get(key) ?? null))),
      stepsByStatus: (_, status) => Promise.resolve(ok(steps.filter((step) => step.status === status))),
    },
    folder,
    isOffered,
    taskId: task.id,
    signal: new AbortController().signal,
  });
}

test('counts what is new, changed and gone by path, size and time', async () => {
  const folder = new FakeFolder();
  for (let index = 0; index < 1_200; index += 1) folder.put(`f${index}`, 'text');
  const steps = await known(
    folder,
    [...Array(1_200).keys()].map((index) => `f${index}`),
  );
  folder.put('new', 'text').put('f7', 'text').put('f9', 'longer text').remove('f3').remove('f4').remove('f5');
  expect(await compare(folder, steps)).toEqual(ok({ added: 1, changed: 2, gone: 3 }));
});

test('what was gone before is not gone again, and new when it is back', async () => {
  const folder = new FakeFolder().put('a', 'text').put('back', 'text');
  const steps = await known(folder, ['a'], ['back', 'away']);
  expect(await compare(folder, steps)).toEqual(ok({ added: 1, changed: 0, gone: 0 }));
});

test('looks only at what the task is offered', async () => {
  const folder = new FakeFolder().put('a.txt', 'text').put('b.log', 'text');
  expect(await compare(folder, [], (path) => path.endsWith('.txt'))).toEqual(ok({ added: 1, changed: 0, gone: 0 }));
});

test('a place that cannot be looked at leaves it unknown what is gone', async () => {
  const folder = new FakeFolder().put('a', 'text').put('below/b', 'text');
  const steps = await known(folder, ['a', 'below/b']);
  const closed: Pick<FakeFolder, 'walk'> = {
    async *walk(signal, onProblem?: (problem: { path: string; failure: ReturnType<typeof failure> }) => void) {
      onProblem?.({ path: 'below', failure: failure('folder_permission') });
      folder.remove('below/b');
      yield* folder.walk(signal);
    },
  };
  expect(await compare(closed, steps)).toEqual(ok({ added: 0, changed: 0, gone: null }));
});

test('a folder that is away is a failure', async () => {
  const folder = new FakeFolder();
  folder.state = 'missing';
  expect(await compare(folder, [])).toMatchObject({ ok: false, failure: { code: 'folder_missing' } });
});
