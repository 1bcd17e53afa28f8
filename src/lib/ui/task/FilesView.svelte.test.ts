import { afterEach, beforeAll, expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import { fileStepKey, taskId } from '../../core/ids';
import type { StepStatus } from '../../core/step';
import { preferences } from '../../state/preferences.svelte';
import type { FileView } from '../../state/task-files';
import FilesView from './FilesView.svelte';

const file = (path: string, status: StepStatus): FileView => ({
  key: fileStepKey(path),
  path,
  status,
  reused: false,
  truncated: false,
  inputCut: false,
  code: null,
  excerpt: '',
  durationMs: 0,
  tokens: 0,
  finishedMs: null,
});

function props(...rows: readonly FileView[]) {
  const count = (status: StepStatus) => rows.filter((row) => row.status === status).length;
  return {
    id: taskId('t'),
    rows,
    counts: {
      planned: rows.length,
      running: count('running'),
      done: count('done'),
      reused: 0,
      failed: count('failed'),
      skipped: count('skipped'),
    },
    walking: false,
    texts: new Map(),
    chosen: null,
    onchoose: () => undefined,
  };
}

beforeAll(() => preferences.loadScreens());
afterEach(async () => {
  preferences.language = 'en';
  await preferences.ready;
  localStorage.clear();
});

test('a filter that a retry emptied gives way to all files', async () => {
  const screen = await render(FilesView, props(file('a.txt', 'done'), file('b.txt', 'failed')));
  await screen.getByRole('button', { name: /^Failed/ }).click();
  await expect.element(screen.getByText('1 of 2')).toBeVisible();
  await screen.rerender(props(file('a.txt', 'done'), file('b.txt', 'pending')));
  await expect
    .element(screen.getByRole('button', { name: 'All', exact: true }))
    .toHaveAttribute('aria-pressed', 'true');
  await expect.element(screen.getByText('1 of 2')).not.toBeInTheDocument();
  await screen.rerender(props(file('a.txt', 'done'), file('b.txt', 'failed')));
  await expect
    .element(screen.getByRole('button', { name: 'All', exact: true }))
    .toHaveAttribute('aria-pressed', 'true');
});

test('the running ones stay chosen between two files', async () => {
  const screen = await render(FilesView, props(file('a.txt', 'running'), file('b.txt', 'pending')));
  await screen.getByRole('button', { name: /^Running/ }).click();
  await screen.rerender(props(file('a.txt', 'done'), file('b.txt', 'pending')));
  await expect.element(screen.getByRole('button', { name: /^Running/ })).toHaveAttribute('aria-pressed', 'true');
});

test.each([
  ['en', 'ends early'],
  ['zh-CN', '不完整'],
] as const)('an answer that was cut is marked in the list: %s', async (language, mark) => {
  preferences.language = language;
  await preferences.ready;
  await preferences.loadScreens();
  const cut = { ...file('cut.txt', 'done'), truncated: true };
  const screen = await render(FilesView, props(cut, file('whole.txt', 'done')));
  await expect.element(screen.getByRole('row', { name: /cut\.txt/ })).toHaveTextContent(mark);
  await expect.element(screen.getByRole('row', { name: /whole\.txt/ })).not.toHaveTextContent(mark);
});
