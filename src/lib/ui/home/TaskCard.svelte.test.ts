import { afterEach, beforeEach, expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import { failure } from '../../core/failure';
import { endpointId, folderId, taskId } from '../../core/ids';
import { NO_PACE, PLAN_DUE, type TaskRow } from '../../core/task';
import { NO_USAGE } from '../../core/usage';
import { preferences } from '../../state/preferences.svelte';
import TaskCard from './TaskCard.svelte';

const NOW_MS = new Date(2026, 10, 29, 9, 0).getTime();
const DAY_MS = 86_400_000;

function task(fields: Partial<TaskRow>): TaskRow {
  return {
    v: 1,
    id: taskId('t/1'),
    name: 'Court files',
    kind: 'batch',
    options: {
      v: 1,
      template: 'summary',
      instructions: '',
      language: 'en',
      include: [],
      exclude: [],
      concurrency: 4,
    },
    folderId: folderId('f'),
    folderName: 'akten',
    endpointId: endpointId('e'),
    status: 'paused',
    reason: null,
    failure: null,
    hold: null,
    counts: { planned: 960, running: 0, done: 400, reused: 12, failed: 6, skipped: 0 },
    usage: NO_USAGE,
    requests: 412,
    reusedRequests: 12,
    pace: NO_PACE,
    plan: PLAN_DUE,
    recovery: null,
    contextTokens: null,
    stage: 'files',
    report: null,
    output: 'none',
    outputPath: null,
    epoch: 1,
    seq: 1,
    createdMs: 0,
    updatedMs: 0,
    startedMs: 0,
    finishedMs: null,
    activeMs: 0,
    ...fields,
  };
}

const show = (fields: Partial<TaskRow>, retentionDays = 30) =>
  render(TaskCard, { task: task(fields), nowMs: NOW_MS, retentionDays });

beforeEach(() => preferences.ready);
afterEach(async () => {
  preferences.language = 'en';
  await preferences.ready;
  localStorage.clear();
});

test('a task that lost its folder says so and offers to go on in it', async () => {
  const screen = await show({
    reason: 'permission',
    failure: failure('folder_permission', { details: { folder: 'akten' } }),
  });
  const row = screen.getByTestId('task-row');
  await expect.element(row).toHaveAttribute('data-task-id', 't/1');
  await expect.element(row).toHaveAttribute('data-status', 'paused');
  await expect.element(row).toHaveAttribute('data-reason', 'permission');
  await expect.element(screen.getByRole('button', { name: 'Continue in “akten”' })).toBeVisible();
  await expect.element(screen.getByText('418 of 960 files · 6 failed')).toBeVisible();
  await expect.element(screen.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '418');
});

test('a server that can be mended comes with the command that mends it', async () => {
  const details = { url: 'http://192.168.1.20:8000/v1', model: 'hermes' };
  const screen = await show({ reason: 'endpoint', failure: failure('cors_blocked', { details }) });
  await expect.element(screen.getByText('--allowed-origins')).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Copy the command' })).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Try again now' })).toBeVisible();
});

test('a finished task never hides what failed, and tells when it goes', async () => {
  const screen = await show({ status: 'completed', finishedMs: NOW_MS - 27 * DAY_MS });
  await expect.element(screen.getByText('Finished, 6 of 960 failed')).toBeVisible();
  await expect.element(screen.getByText('deleted in 3 days')).toBeVisible();
  expect(screen.getByRole('progressbar').elements()).toHaveLength(0);
});

test('a finished task that skipped files does not claim all of them', async () => {
  const counts = { planned: 42, running: 0, done: 38, reused: 2, failed: 0, skipped: 2 };
  const screen = await show({ status: 'completed', finishedMs: NOW_MS, counts });
  await expect.element(screen.getByText('40 of 42 files · 2 skipped')).toBeVisible();
});

test.each([
  { status: 'completed', output: 'waiting', outputPath: 'talaria/akten' },
  { status: 'paused', reason: 'approval', failure: failure('effect_in_doubt', { details: { target: '/orders' } }) },
] as const)('a task that waits for an answer leads to the question and to nothing else: %j', async (fields) => {
  const screen = await show({ ...fields, finishedMs: NOW_MS });
  await expect.element(screen.getByRole('link', { name: 'Answer' })).toHaveAttribute('href', '/task?id=t%2F1');
  expect(screen.getByRole('button').elements()).toHaveLength(0);
});

test('time left is told while files settle, and not of a task that stands still', async () => {
  const running = { status: 'running', pace: { samples: 20, meanMs: 60_000, m2: 0 } } as const;
  const plan = { ...PLAN_DUE, state: 'done' } as const;
  const moving = await show({ ...running, plan, updatedMs: NOW_MS - 60_000 });
  await expect.element(moving.getByText(/ h left/)).toBeVisible();
  await moving.unmount();
  const still = await show({ ...running, plan, updatedMs: NOW_MS - 600_000 });
  await expect.element(still.getByText('418 of 960 files')).toBeVisible();
  expect(document.body.textContent).not.toContain('left');
});

test('nothing is said to be deleted when tasks are kept for ever', async () => {
  const screen = await show({ status: 'completed', finishedMs: NOW_MS }, 0);
  await expect.element(screen.getByText('Finished, 6 of 960 failed')).toBeVisible();
  expect(document.body.textContent).not.toContain('deleted');
});

test('the language changes while the card is shown', async () => {
  const screen = await show({ reason: 'user' });
  await expect.element(screen.getByRole('button', { name: 'Continue' })).toBeVisible();
  preferences.language = 'zh-CN';
  await expect.element(screen.getByRole('button', { name: '继续' })).toBeVisible();
});
