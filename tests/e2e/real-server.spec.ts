import { expect, test } from '../support/fixtures';
import { distinctFiles, outputsIn } from '../support/folder.mjs';
import { seededRandom } from '../support/seeded-random.mjs';

const FILES = 60;

test('a real llama-server: ten killed browsers and two restarted servers, and every file is in the report once', async ({
  openApp,
  makeFolder,
  startLlama,
}, info) => {
  test.setTimeout(600_000);
  const seed = Number(process.env.TALARIA_SEED ?? Date.now() % 100_000);
  info.annotations.push({ type: 'seed', description: String(seed) });
  const random = seededRandom(seed);
  const server = await startLlama();
  const folder = makeFolder(distinctFiles(FILES));
  let app = await openApp({ grant: folder });
  const { id } = await app.startTask({ folder, endpoint: server.url, model: server.model, concurrency: 2 });
  let settled = 0;
  for (let kill = 0; kill < 10; kill += 1) {
    const task = await app.openTask(id);
    await expect.poll(() => task.settled(), `saved files stay saved, seed ${seed}`).toBeGreaterThanOrEqual(settled);
    const goal = Math.min(FILES - 5, settled + 1 + Math.floor(random() * 5));
    await expect.poll(() => task.settled(), { timeout: 60_000 }).toBeGreaterThanOrEqual(goal);
    if (kill === 3 || kill === 7) await server.restart();
    settled = await task.settled();
    await app.kill();
    app = await openApp();
  }
  const task = await app.openTask(id);
  await task.waitForStatus('completed', { timeoutMs: 240_000 });
  await task.expectCounts({ done: FILES, failed: 0, skipped: 0 });
  await expect(app.get('recovery')).toHaveAttribute('data-repeated', '0');
  await expect.poll(() => outputsIn(folder)[0]?.results.length).toBe(FILES);
  const report = outputsIn(folder)[0]?.report ?? '';
  for (const path of Object.keys(distinctFiles(FILES))) {
    expect(report.split(`(results/${path}.md)`), path).toHaveLength(2);
  }
});
