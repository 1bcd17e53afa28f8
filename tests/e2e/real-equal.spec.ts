import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, type RunningApp } from '../support/fixtures';
import { distinctFiles, outputsIn } from '../support/folder.mjs';
import { EXACT, type LlamaServer } from '../support/llama-server';
import type { TaskPage } from '../support/task-page';

const FILES = 200;
const KILLS_AT = [30, 90, 150];
/** A model this small now and then ends before its first word, and at temperature 0 would do so at every try. */
const NO_END = JSON.stringify({
  logit_bias: [
    [2, -100],
    [513, -100],
  ],
});
/** Shorter answers than in a larger window: as many of them, in half the time. */
const SMALL = [...EXACT, '-c', '3072'];
let undisturbed: ReadonlyMap<string, string> | null = null;

test.describe.configure({ mode: 'serial' });
test.beforeEach(() => test.setTimeout(900_000));

test('a real llama-server: 200 files undisturbed', async ({ openApp, makeFolder, startLlama }) => {
  const server = await startLlama(SMALL);
  const folder = makeFolder(distinctFiles(FILES));
  const app = await openApp({ grant: folder });
  const task = await begin(app, folder, server);
  await finished(task, folder);
  expect(await app.get('spared').count(), 'nothing was interrupted').toBe(0);
  undisturbed = resultsIn(folder);
  expect(undisturbed.size).toBe(FILES);
});

test('a real llama-server: the browser killed three times comes to the same, and says what it did not generate again', async ({
  openApp,
  makeFolder,
  startLlama,
}, info) => {
  const server = await startLlama(SMALL);
  const folder = makeFolder(distinctFiles(FILES));
  let app = await openApp({ grant: folder });
  const { id } = await begin(app, folder, server);
  for (const goal of KILLS_AT) {
    const task = await app.openTask(id);
    await task.waitForSettled(goal, 300_000);
    await app.kill();
    app = await openApp();
  }
  const task = await app.openTask(id);
  await finished(task, folder);
  await expect(app.get('recovery')).toHaveAttribute('data-repeated', '0');
  expect(Object.fromEntries(resultsIn(folder))).toEqual(Object.fromEntries(undisturbed ?? []));
  const spared = app.get('spared');
  const [answers, tokens] = await Promise.all(
    ['data-reattached', 'data-tokens'].map(async (name) => Number(await spared.getAttribute(name))),
  );
  info.annotations.push({ type: 'spared', description: `${String(answers)} answers, ${String(tokens)} tokens` });
  expect(answers).toBeGreaterThan(0);
  expect(tokens).toBeGreaterThan(0);
});

async function begin(app: RunningApp, folder: string, server: LlamaServer): Promise<TaskPage> {
  await app.newTask({ folder, endpoint: server.url, model: server.model, concurrency: 2 });
  await app.get('more-settings').click();
  await app.get('setting-temperature').fill('0');
  await app.get('setting-body').fill(NO_END);
  return app.start();
}

async function finished(task: TaskPage, folder: string): Promise<void> {
  await task.waitForStatus('completed', { timeoutMs: 600_000 });
  await task.expectCounts({ done: FILES, failed: 0, skipped: 0 });
  await expect.poll(() => outputsIn(folder)[0]?.csv).toBeTruthy();
}

function resultsIn(folder: string): ReadonlyMap<string, string> {
  const [output] = outputsIn(folder);
  if (!output) throw new Error('nothing was written');
  return new Map(output.results.map((path) => [path, readFileSync(join(output.dir, 'results', path), 'utf8')]));
}
