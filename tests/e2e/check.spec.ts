import { readFileSync } from 'node:fs';
import { expect, test } from '../support/fixtures';
import { storedRows } from '../support/stored-rows';

const PROPERTIES = ['prefix', 'effects', 'fork', 'checkpoints', 'consume-once', 'recovery'];

test('the self-check shows the six properties in this browser, and leaves nothing behind', async ({ openApp }) => {
  const app = await openApp();
  await app.open('/check');
  await expect(app.get('check-row')).toHaveCount(PROPERTIES.length);
  await expect(app.page.locator('[data-testid="check-row"][data-result="none"]')).toHaveCount(PROPERTIES.length);
  await app.get('run-check').click();
  await expect(app.get('check-evidence')).toBeVisible({ timeout: 80_000 });
  for (const property of PROPERTIES) {
    await expect(app.page.locator(`[data-testid="check-row"][data-property="${property}"]`)).toHaveAttribute(
      'data-result',
      'pass',
    );
  }

  const download = app.page.waitForEvent('download');
  await app.get('check-evidence').click();
  const file = await (await download).path();
  const { talaria, v, verdicts, evidence } = JSON.parse(readFileSync(file, 'utf8')) as {
    talaria: string;
    v: number;
    verdicts: { property: string; faults: string[] }[];
    evidence: { disturbed: { point: string; stops: number; finishedBefore: unknown[] }[] };
  };
  expect([talaria, v]).toEqual(['self-check', 1]);
  expect(verdicts.map(({ property, faults }) => [property, faults])).toEqual(PROPERTIES.map((name) => [name, []]));
  expect(evidence.disturbed).toHaveLength(13);
  expect(evidence.disturbed.every(({ stops }) => stops === 1)).toBe(true);
  expect(evidence.disturbed.filter(({ finishedBefore }) => finishedBefore.length > 0).length).toBeGreaterThan(7);

  const left = await app.page.evaluate(async () => {
    const names: string[] = [];
    for await (const name of (await navigator.storage.getDirectory()).keys()) names.push(name);
    return names;
  });
  expect(left).not.toContain('talaria-self-check');
  await app.open('/');
  await expect(app.get('task-row')).toHaveCount(0);
});

test('a self-check that is cut off shows nowhere among the tasks, and the next one deletes what it left', async ({
  openApp,
}) => {
  const app = await openApp();
  await app.open('/check');
  await app.get('run-check').click();
  const ofCheck = async () => (await storedRows<{ name: string }>(app.page, 'tasks')).length;
  await expect.poll(ofCheck, { timeout: 20_000 }).toBeGreaterThan(0);
  await app.open('/');
  await expect(app.page.getByRole('heading').first()).toBeVisible();
  await expect(app.get('task-row')).toHaveCount(0);
  await expect(app.get('found-at-start')).toHaveCount(0);
  expect(await ofCheck()).toBeGreaterThan(0);
  await app.open('/check');
  await app.get('run-check').click();
  await expect(app.get('check-evidence')).toBeVisible({ timeout: 80_000 });
  await expect.poll(ofCheck).toBe(0);
});
