import { expect, test as base } from '../support/fixtures';
import { distinctFiles } from '../support/folder.mjs';
import type { ModelServerOptions } from '../support/model-server-types';
import { startTlsProxy, type TlsProxy } from '../support/tls-proxy';

const MODEL = 'hermes-3';
const SLOW: ModelServerOptions = { dialect: 'vllm', models: [MODEL], slots: 64, betweenMs: 60, tokensPerChunk: 1 };
const OPEN = { args: ['--ignore-certificate-errors'] };

const test = base.extend<{ startProxy: typeof startTlsProxy }>({
  startProxy: async ({}, use) => {
    const proxies: TlsProxy[] = [];
    await use(async (...args) => {
      const proxy = await startTlsProxy(...args);
      proxies.push(proxy);
      return proxy;
    });
    for (const proxy of proxies) await proxy.close();
  },
});

test('over HTTP/2 a task has as many requests out as it may, which the doctor finds out', async ({
  openApp,
  startServer,
  startProxy,
  makeFolder,
}) => {
  const server = await startServer(SLOW);
  const proxy = await startProxy(server.url, 'h2');
  const folder = makeFolder(distinctFiles(60));
  const app = await openApp({ ...OPEN, grant: folder });
  await app.fillEndpoint({ url: proxy.url, model: MODEL });
  await app.get('more-settings').click();
  await app.get('setting-concurrency').fill('24');
  await app.get('endpoint-test').click();
  await expect(app.get('endpoint-state')).toHaveAttribute('data-state', 'ready', { timeout: 20_000 });
  const parallel = app.page.locator('[data-testid="doctor-probe"][data-probe="parallel"]');
  await expect(parallel).toHaveAttribute('data-state', 'passed');
  await expect(parallel).toContainText('At least 8 at once.');
  await app.get('endpoint-save').click();
  await expect(app.get('endpoint-duplicate')).toBeVisible();
  await app.open('/new');
  await app.chooseFolder(folder);
  await app.get('endpoint-select').selectOption({ index: 0 });
  await app.get('concurrency').fill('24');
  const task = await app.start();
  await task.waitForStatus('completed', { timeoutMs: 60_000 });
  expect(server.maxInFlight).toBeGreaterThan(20);
});

test('over HTTP/1.1 the doctor says that the browser holds back, and how to mend it', async ({
  openApp,
  startServer,
  startProxy,
}) => {
  const server = await startServer(SLOW);
  const proxy = await startProxy(server.url, 'http/1.1');
  const app = await openApp(OPEN);
  await app.fillEndpoint({ url: proxy.url, model: MODEL });
  await app.get('endpoint-test').click();
  await expect(app.get('endpoint-state')).toHaveAttribute('data-state', 'ready', { timeout: 20_000 });
  const parallel = app.page.locator('[data-testid="doctor-probe"][data-probe="parallel"]');
  await expect(parallel).toHaveAttribute('data-state', 'lacking');
  await expect(parallel).toContainText('At least 6 at once, but a browser opens only six connections');
  await expect(parallel).toContainText('flush_interval -1');
  await expect(parallel).toContainText('http2 on;');
  await expect(parallel.getByRole('button')).toHaveCount(2);
});
