import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { AppPage } from '../support/app-page';
import { expect, test } from '../support/fixtures';
import { freePort } from '../support/free-port';
import { llamaPaths } from '../support/llama-server';

const paths = llamaPaths();
/** Where pictures for the guide go; none are made without it. */
const PICTURES = process.env.TALARIA_PICTURES;

test.skip(paths === null, 'set TALARIA_LLAMA_SERVER (the program) and TALARIA_GGUF (a model file) to run this');

const CASES = [
  { name: 'ready', args: ['-c', '16384', '-np', '2'], key: '', state: 'ready', shift: 0 },
  { name: 'small-context', args: ['-c', '2048', '-np', '2'], key: '', state: 'ready', shift: 0 },
  { name: 'wrong-key', args: ['--api-key', 'right'], key: 'wrong', state: 'auth_failed', shift: 0 },
  { name: 'no-cors', args: ['--cors-origins', 'http://elsewhere.test'], key: '', state: 'cors_blocked', shift: 0 },
  { name: 'wrong-port', args: [], key: '', state: 'endpoint_unreachable', shift: 1 },
] as const;

for (const { name, args, key, state, shift } of CASES) {
  test(`a real llama-server: ${name}`, async ({ openApp }) => {
    if (!paths) return;
    const port = await freePort();
    const shared = ['-m', paths.gguf, '--alias', 'hermes', '--host', '127.0.0.1', '--port', String(port), '-t', '1'];
    const child = spawn(paths.binary, [...shared, ...args], { stdio: 'ignore' });
    const app = await openApp();
    await expect.poll(() => health(port), { timeout: 30_000 }).toBe(200);
    await examine(app, `http://127.0.0.1:${port + shift}/v1`, key);
    await expect(app.get('endpoint-state')).toHaveAttribute('data-state', state, { timeout: 20_000 });
    if (name === 'ready') {
      await expect(app.get('doctor-server')).toHaveText(/^llama\.cpp b\d+, 2 slots of 8,192 tokens$/);
      for (const probe of ['schema', 'continue', 'reattach']) {
        const row = app.page.locator(`[data-testid="doctor-probe"][data-probe="${probe}"]`);
        await expect(row).toHaveAttribute('data-state', 'passed');
      }
    }
    if (PICTURES !== undefined) await picture(app, join(PICTURES, `doctor-${name}.png`));
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  });
}

/** Each read of the model file takes so long that the load can be watched; requests are received by another call. */
const SLOWLY = ['-f', '-o', '/dev/null', '-e', 'trace=read', '-e', 'inject=read:delay_enter=400000'];

test('a real llama-server: loading', async ({ openApp }) => {
  test.skip(spawnSync('strace', ['--version']).status !== 0, 'install strace, which slows the load of a model down');
  if (!paths) return;
  const port = await freePort();
  const app = await openApp();
  await app.fillEndpoint({ url: `http://127.0.0.1:${port}/v1`, model: 'hermes', key: '' });
  const args = ['-m', paths.gguf, '--alias', 'hermes', '--host', '127.0.0.1', '--port', String(port), '-t', '1'];
  const child = spawn('strace', [...SLOWLY, paths.binary, ...args], { stdio: 'ignore', detached: true });
  try {
    await expect.poll(() => health(port), { timeout: 60_000, intervals: [50] }).toBe(503);
    await app.get('endpoint-test').click();
    const loading = app.page.locator('[data-testid="doctor-probe"][data-probe="loading"]');
    await expect(loading).toHaveAttribute('data-state', 'running');
    await expect(loading).toContainText('still being loaded');
    if (PICTURES !== undefined) await picture(app, join(PICTURES, 'doctor-loading.png'));
    await expect(app.get('endpoint-state')).toHaveAttribute('data-state', 'ready', { timeout: 60_000 });
    await expect(loading).toHaveAttribute('data-state', 'passed');
  } finally {
    const gone = once(child, 'exit');
    // The whole group: the server outlives whoever slows it down.
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    await gone;
  }
});

async function examine(app: AppPage, url: string, key: string): Promise<void> {
  await app.fillEndpoint({ url, model: 'hermes', key });
  await app.get('endpoint-test').click();
}

async function picture(app: AppPage, path: string): Promise<void> {
  await app.page.setViewportSize({ width: 900, height: 900 });
  await app.page.locator('.doctor').screenshot({ path });
}

async function health(port: number): Promise<number | null> {
  const answer = await fetch(`http://127.0.0.1:${port}/health`).catch(() => null);
  return answer?.status ?? null;
}
