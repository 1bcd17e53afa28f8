import type { StoredTask } from '../support/agent-calls';
import type { AppPage } from '../support/app-page';
import { askedByFile } from '../support/asked.mjs';
import { stallAfter } from '../support/barriers.mjs';
import { dropFolder } from '../support/browser.mjs';
import { expect, test } from '../support/fixtures';
import { distinctFiles, outputsIn } from '../support/folder.mjs';
import { storedRows } from '../support/stored-rows';
import { moveToAnotherBrowser, saveAsFile, takeIn } from '../support/task-as-file';

interface Rows {
  readonly steps: readonly { taskId: string; key: string; status: string; resultKey: string | null; seq: number }[];
  readonly results: readonly { key: string; output: string }[];
}

/** What a person has of a task: its counts, its report, and what each step of it came to. */
async function matterOf(app: AppPage, id: string) {
  const task = (await storedRows<StoredTask>(app.page, 'tasks')).find((row) => row.id === id);
  const steps = await storedRows<Rows['steps'][number]>(app.page, 'steps');
  const results = new Map(
    (await storedRows<Rows['results'][number]>(app.page, 'results')).map(({ key, output }) => [key, output]),
  );
  return {
    counts: task?.counts,
    report: results.get(task?.report ?? '') ?? null,
    steps: steps
      .filter(({ taskId }) => taskId === id)
      .map(({ key, status, resultKey }) => [
        key,
        status === 'running' ? 'pending' : status,
        results.get(resultKey ?? ''),
      ]),
  };
}

test('tasks that are done, half done and done but for a file are in another browser what they were', async ({
  openApp,
  profile,
  modelServer,
  makeFolder,
  app: { origin },
}) => {
  const folder = makeFolder(distinctFiles(4));
  const before = await openApp({ grant: folder });
  const done = await before.startTask({ folder, endpoint: modelServer.url, instructions: 'One' });
  await done.waitForStatus('completed');
  const refusal = {
    type: 'json',
    status: 400,
    body: { error: { message: 'no', type: 'invalid_request_error' } },
  } as const;
  modelServer.script(({ content }) => (content.includes('note-0002.txt>') ? refusal : null));
  const failed = await before.startTask({ folder, endpoint: modelServer.url, instructions: 'Two' });
  await failed.waitForStatus('completed');
  await failed.expectCounts({ done: 3, failed: 1 });
  stallAfter(modelServer, 2);
  const half = await before.startTask({ folder, endpoint: modelServer.url, concurrency: 1, instructions: 'Three' });
  await half.expectCounts({ done: 2 });
  await half.press('pause');
  await half.waitForStatus('paused', { reason: 'user' });
  const ids = [done.id, failed.id, half.id];
  const matter = [];
  const files = [];
  for (const id of ids) {
    matter.push(await matterOf(before, id));
    files.push(await saveAsFile(before, id));
  }

  const after = await moveToAnotherBrowser(before, { openApp, profile, origin, folder, modelServer });
  for (const file of files) {
    await takeIn(after, file);
    await expect(after.get('imported')).toBeVisible();
  }
  for (const [index, id] of ids.entries()) expect(await matterOf(after, id)).toEqual(matter[index]);
  expect(matter[0]?.report).toContain('4 of 4 files');
  await expect(await (await after.openTask(done.id)).report()).toContainText('4 of 4 files');
  const isInFolder = after.get('output').getByText('The report is in your folder');
  await expect(after.get('output').getByText('Its report is here; pick the folder')).toBeVisible();
  await expect(isInFolder).toHaveCount(0);
  await after.get('allow-writing').click();
  await dropFolder(after.page, after.page.locator('body'), folder);
  await expect(isInFolder).toBeVisible();
  expect(modelServer.requests).toHaveLength(0);

  const task = await after.openTask(half.id);
  await after.get('rebind-folder').click();
  await dropFolder(after.page, after.page.locator('body'), folder);
  await task.waitForStatus('completed');
  await task.expectCounts({ done: 4, failed: 0 });
  expect([...askedByFile(modelServer).values()]).toEqual([1, 1]);
});

test('what a file says was answered is in no report but its own', async ({ openApp, modelServer, makeFolder }) => {
  const folder = makeFolder(distinctFiles(3));
  const app = await openApp({ grant: folder });
  const first = await app.startTask({ folder, endpoint: modelServer.url });
  await first.waitForStatus('completed');
  await expect(app.get('output')).toHaveAttribute('data-output', 'written');
  const text = await saveAsFile(app, first.id);
  await app.page.locator(`tr[data-task-id="${first.id}"]`).getByRole('button').last().click();
  await app.get('confirm-delete').click();
  await expect(app.page.locator(`tr[data-task-id="${first.id}"]`)).toHaveCount(0);
  const forged = text.replaceAll(/("output":")About [^"]*/g, '$1FORGED');
  expect(forged).not.toBe(text);
  await takeIn(app, forged);
  await expect(app.get('imported')).toBeVisible();
  modelServer.forget();

  const fresh = await app.startTask({ folder, endpoint: modelServer.url });
  await fresh.waitForStatus('completed');
  await fresh.expectCounts({ done: 3, reused: 0 });
  await expect(app.get('output')).toHaveAttribute('data-output', 'written');
  expect([...askedByFile(modelServer).values()]).toEqual([1, 1, 1]);
  expect(outputsIn(folder).map(({ csv, report }) => /FORGED/.test(csv + report))).not.toContain(true);
  const own = (await storedRows<Rows['results'][number]>(app.page, 'results')).filter(
    ({ output }) => output === 'FORGED',
  );
  expect(own.map(({ key }) => key.split('/')[0])).toEqual(['imported', 'imported', 'imported']);
});
