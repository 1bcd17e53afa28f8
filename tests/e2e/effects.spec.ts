import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { gateAfter } from '../support/barriers.mjs';
import { expect, test } from '../support/fixtures';
import { addFiles, distinctFiles, listFiles, outputsIn } from '../support/folder.mjs';

const written = '[data-testid="output"][data-output="written"]';

/** The question stands above everything else of the task and before the fold, and its button is the one that leads. */
async function expectQuestionFirst(page: Page): Promise<void> {
  const top = async (id: string) => (await page.getByTestId(id).first().boundingBox())?.y ?? Number.NaN;
  expect(await top('approval')).toBeLessThan(await top('progress'));
  await expect(page.getByTestId('approval').first()).toBeInViewport({ ratio: 1 });
  await expect(page.locator('main .btn.primary')).toHaveCount(1);
  await expect(page.locator('[role="group"] .btn.primary')).toHaveCount(1);
}

test('a report that the person edited is not written over before they say so, and stays when they say so', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(3));
  const app = await openApp({ grant: folder });
  const task = await app.startTask({ folder, endpoint: modelServer.url });
  await task.waitForStatus('completed');
  await expect(app.page.locator(written)).toBeVisible();
  const report = join(outputsIn(folder)[0]?.dir ?? '', 'report.md');
  const result = join(outputsIn(folder)[0]?.dir ?? '', 'results', 'note-0001.txt.md');
  const unchangedSince = statSync(result).mtimeMs;

  for (const [round, answer] of [
    [1, 'deny'],
    [2, 'approve'],
  ] as const) {
    writeFileSync(report, `my own words ${String(round)}`);
    const added = `added-${String(round)}.txt`;
    addFiles(folder, { [added]: `File <${added}>\nOne more.\n` });
    await task.press('continue');
    const approval = app.get('approval');
    await expect(approval).toHaveAttribute('data-state', 'contested');
    await expect(approval).toHaveCount(1);
    await expect(approval).toContainText('report.md');
    await expect(app.get('asked-again')).toHaveCount(0);
    await task.waitForStatus('completed');
    await expectQuestionFirst(app.page);
    expect(readFileSync(report, 'utf8')).toBe(`my own words ${String(round)}`);
    // What a kill in the middle of writing leaves beside the file.
    writeFileSync(`${report}.crswap`, 'half a rep');
    await app.get(answer).click();
    await expect(approval).toHaveCount(0);
    await expect(app.page.locator(written)).toBeVisible();
    // What the folder holds is said as it is: the person's own report is not called Talaria's.
    await expect(app.get('output')).toHaveAttribute('data-report', answer === 'deny' ? 'kept' : 'ours');
    await expect(app.get('output')).toContainText(
      answer === 'deny' ? 'Your own report.md was kept' : 'The report is in',
    );
    if (answer === 'deny') expect(readFileSync(report, 'utf8')).toBe(`my own words ${String(round)}`);
    else expect(readFileSync(report, 'utf8')).toContain(added);
    expect(listFiles(folder).some((path) => path.endsWith('.crswap'))).toBe(answer === 'deny');
  }
  expect(statSync(result).mtimeMs).toBe(unchangedSince);
});

test('many files that somebody else has changed are answered for together', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(4));
  const app = await openApp({ grant: folder });
  const task = await app.startTask({ folder, endpoint: modelServer.url });
  await task.waitForStatus('completed');
  await expect(app.page.locator(written)).toBeVisible();
  const dir = outputsIn(folder)[0]?.dir ?? '';
  const changed = ['report.md', 'results.csv'].map((name) => join(dir, name));
  for (const [round, answer] of [
    [1, 'deny-all'],
    [2, 'approve-all'],
  ] as const) {
    for (const path of changed) writeFileSync(path, 'mine');
    addFiles(folder, { [`more-${String(round)}.txt`]: `File <more-${String(round)}.txt>\nOne more.\n` });
    await task.press('continue');
    await expect(app.get('approval')).toHaveCount(changed.length);
    // Nothing of it is finished before the person has answered.
    await task.waitForStatus('completed');
    await app.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Tasks' }).click();
    const needsYou = app.page.locator('section', { has: app.page.getByRole('heading', { name: 'Needs you' }) });
    await expect(needsYou.getByTestId('task-row')).toHaveAttribute('data-status', 'completed');
    await expect(app.page.getByRole('heading', { name: 'Finished', exact: true })).toHaveCount(0);
    await needsYou.getByRole('link', { name: 'Answer' }).click();
    await expect(app.get('approval')).toHaveCount(changed.length);
    await expectQuestionFirst(app.page);
    await app.get(answer).click();
    await expect(app.get('approval')).toHaveCount(0);
    await expect(app.page.locator(written)).toBeVisible();
    const isMine = changed.map((path) => readFileSync(path, 'utf8') === 'mine');
    expect(isMine).toEqual(changed.map(() => answer === 'deny-all'));
  }
});

test('RES-06: killed in the middle of writing, the rest is written, and what was there is not written again', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(24));
  const app = await openApp({ grant: folder });
  await app.startTask({ folder, endpoint: modelServer.url, concurrency: 8 });
  await expect
    .poll(() => outputsIn(folder)[0]?.results.length ?? 0, { intervals: [5], timeout: 60_000 })
    .toBeGreaterThan(2);
  await app.kill();
  const dir = outputsIn(folder)[0]?.dir ?? '';
  const whole = listFiles(dir).filter((path) => !path.endsWith('.crswap') && statSync(join(dir, path)).size > 0);
  const times = whole.map((path) => statSync(join(dir, path)).mtimeMs);
  expect(whole.length).toBeLessThan(26);

  const again = await openApp();
  await again.page.getByTestId('task-row').click();
  await expect(again.page.locator(written)).toBeVisible({ timeout: 60_000 });
  expect(whole.map((path) => statSync(join(dir, path)).mtimeMs)).toEqual(times);
  const files = listFiles(dir);
  expect(files).toHaveLength(26);
  expect(files.filter((path) => path.endsWith('.crswap'))).toEqual([]);
  for (const path of Object.keys(distinctFiles(24))) {
    expect(readFileSync(join(dir, 'results', `${path}.md`), 'utf8')).toContain(`About «${path}»`);
  }
});

/** As a worker that was ended in the middle of a request to another program would leave it. */
function leaveIntent(page: Page, taskId: string): Promise<void> {
  return page.evaluate(
    (id) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('talaria');
        opening.onerror = () => reject(new Error('not opened'));
        opening.onsuccess = () => {
          const database = opening.result;
          const writing = database.transaction('effects', 'readwrite');
          writing.objectStore('effects').put({
            v: 1,
            taskId: id,
            key: 'f'.repeat(64),
            seq: 1,
            kind: 'http_request',
            stepKey: null,
            target: 'POST https://tracker.example/issues',
            nth: 1,
            before: null,
            after: 'a'.repeat(64),
            found: null,
            state: 'intended',
            result: null,
            intendedMs: Date.now(),
            settledMs: null,
          });
          writing.oncomplete = () => {
            database.close();
            resolve();
          };
          writing.onerror = () => reject(new Error('not written'));
        };
      }),
    taskId,
  );
}

test('what may have been sent stops the task until the person answers, also over a restart', async ({
  openApp,
  modelServer,
  makeFolder,
}) => {
  const folder = makeFolder(distinctFiles(4));
  gateAfter(modelServer, 2);
  const app = await openApp({ grant: folder });
  const task = await app.startTask({ folder, endpoint: modelServer.url, concurrency: 1 });
  await task.waitForSettled(2);
  await task.press('pause');
  await task.waitForStatus('paused', { reason: 'user' });
  await leaveIntent(app.page, task.id);
  modelServer.script(null);
  await task.press('continue');
  await task.waitForStatus('paused', { reason: 'approval' });
  await expect(app.get('approval')).toContainText('tracker.example');
  await app.close();

  const again = await openApp();
  await again.page.getByTestId('task-row').getByRole('link', { name: 'Answer' }).click();
  await expect(again.get('task-state')).toHaveAttribute('data-reason', 'approval');
  await expect(again.get('approval')).toHaveAttribute('data-state', 'in_doubt');
  await expect(again.get('approval')).toBeVisible();
  await expectQuestionFirst(again.page);
  await again.get('deny').click();
  await expect(again.get('task-state')).toHaveAttribute('data-status', 'completed', { timeout: 30_000 });
  await expect(again.get('approval')).toHaveCount(0);
});
