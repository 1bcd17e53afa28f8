import type { AppPage } from '../support/app-page';
import { expect, test } from '../support/fixtures';

const MODEL = 'hermes-3';

async function examine(app: AppPage, url: string, key = ''): Promise<void> {
  await app.fillEndpoint({ url, model: MODEL, key });
  await app.get('endpoint-test').click();
}

const state = (app: AppPage, is: string) =>
  expect(app.get('endpoint-state')).toHaveAttribute('data-state', is, { timeout: 20_000 });
const probe = (app: AppPage, name: string) => app.page.locator(`[data-testid="doctor-probe"][data-probe="${name}"]`);

test('llama.cpp: waits while it loads, then names it and what it can do', async ({ openApp, startServer }) => {
  const server = await startServer({ dialect: 'llama.cpp', models: [MODEL], loading: true });
  const app = await openApp();
  await examine(app, server.url);
  await state(app, 'endpoint_loading');
  await expect(probe(app, 'loading')).toHaveAttribute('data-state', 'running');
  server.set({ loading: false });
  await state(app, 'ready');
  await expect(app.get('doctor-server')).toHaveText('llama.cpp b11669, 2 slots of 8,192 tokens');
  await expect(probe(app, 'continue')).toHaveAttribute('data-state', 'passed');
});

test('vLLM: a key is wrong although the browser may not read its refusal', async ({ openApp, startServer }) => {
  const server = await startServer({ dialect: 'vllm', models: [MODEL], key: 'sk-right' });
  const app = await openApp();
  await examine(app, server.url, 'sk-wrong');
  await state(app, 'auth_failed');
  await expect(probe(app, 'key')).toHaveAttribute('data-state', 'failed');
});

test('LM Studio: its switch is off, and the origin and the line that mends it are named', async ({
  app: { origin },
  openApp,
  startServer,
}) => {
  const server = await startServer({ dialect: 'lm-studio', models: [MODEL] });
  const app = await openApp();
  await examine(app, server.url);
  await state(app, 'cors_blocked');
  await app.get('doctor-cors-ways').locator('summary').click();
  await expect(app.get('doctor-cors-ways')).toContainText(`OLLAMA_ORIGINS=${origin}`);
  await expect(app.get('doctor-cors-ways')).toContainText('lms server start --cors');
  server.set({ allowedOrigins: [origin] });
  await app.get('endpoint-test').click();
  await state(app, 'ready');
});

test('Ollama: a small context is found, and mended by one line', async ({ openApp, startServer }) => {
  const server = await startServer({ dialect: 'ollama', models: [MODEL] });
  const app = await openApp();
  await examine(app, server.url);
  await state(app, 'ready');
  await expect(probe(app, 'context')).toHaveAttribute('data-state', 'lacking');
  await expect(probe(app, 'context')).toContainText('OLLAMA_CONTEXT_LENGTH=16384');
});

test('a proxy that keeps words back is found by when they come', async ({ openApp, startServer }) => {
  const slow = { betweenMs: 60, tokensPerChunk: 1, buffered: true };
  const server = await startServer({ dialect: 'vllm', models: [MODEL], ...slow });
  const app = await openApp();
  await examine(app, server.url);
  await state(app, 'ready');
  await expect(probe(app, 'answer')).toHaveAttribute('data-state', 'lacking');
  await expect(probe(app, 'answer')).toContainText('proxy_buffering off;');
});

test('SSE-29: a server on ::1 only is offered under that name and taken with one press', async ({
  openApp,
  startServer,
}) => {
  const server = await startServer({ dialect: 'vllm', models: [MODEL], host: '::1' });
  const app = await openApp();
  await examine(app, `http://127.0.0.1:${server.port}/v1`);
  await state(app, 'endpoint_unreachable');
  await app.get('doctor-other-url').click();
  await state(app, 'ready');
  await expect(app.get('endpoint-url')).not.toHaveValue(/127\.0\.0\.1/);
});
