import { mkdtemp, mkdir, writeFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startStaticHost } from './static-host.mjs';

let dir = '';
const open: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'talaria-host-'));
  await mkdir(join(dir, '_app/immutable/chunks'), { recursive: true });
  await writeFile(join(dir, 'index.html'), '<p>home</p>');
  await writeFile(join(dir, 'new.html'), '<p>new</p>');
  await writeFile(join(dir, 'service-worker.js'), 'self;');
  await writeFile(join(dir, 'manifest.webmanifest'), '{}');
  await writeFile(join(dir, '_app/immutable/chunks/a.js'), 'export {};');
});
afterEach(async () => {
  for (const host of open.splice(0)) await host.close();
});
afterAll(() => rm(dir, { recursive: true }));

async function host(options: { port?: number; host?: string } = {}) {
  const started = await startStaticHost({ dir, ...options });
  open.push(started);
  return started;
}

describe('startStaticHost', () => {
  test('serves pages at their clean addresses', async () => {
    const { url } = await host();
    expect(await (await fetch(`${url}/`)).text()).toBe('<p>home</p>');
    expect(await (await fetch(`${url}/new?x=1`)).text()).toBe('<p>new</p>');
  });

  test('lets hashed files be kept for ever and has everything else asked for again', async () => {
    const { url } = await host();
    const cacheOf = async (path: string) => (await fetch(url + path)).headers.get('cache-control');
    expect(await cacheOf('/_app/immutable/chunks/a.js')).toBe('public,max-age=31536000,immutable');
    for (const path of ['/', '/new', '/service-worker.js', '/manifest.webmanifest']) {
      expect(await cacheOf(path)).toBe('no-cache');
    }
  });

  test('names the types that browsers insist on', async () => {
    const { url } = await host();
    const typeOf = async (path: string) => (await fetch(url + path)).headers.get('content-type');
    expect(await typeOf('/service-worker.js')).toMatch(/javascript/);
    expect(await typeOf('/manifest.webmanifest')).toBe('application/manifest+json');
  });

  test('sends the security headers with every answer, errors included', async () => {
    const { url } = await host();
    for (const path of ['/', '/missing']) {
      const { headers } = await fetch(url + path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('content-security-policy')).toBe("frame-ancestors 'none'");
    }
  });

  test('answers 404 with a page, also for a path that leads out', async () => {
    const { url } = await host();
    for (const path of ['/missing', '/..%2f..%2fetc/passwd', '/%']) {
      const response = await fetch(url + path);
      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toMatch(/html/);
      expect(await response.text()).toContain('<a href="/">');
    }
  });

  test('takes nothing but reads', async () => {
    const { url } = await host();
    expect((await fetch(url, { method: 'POST', body: 'x' })).status).toBe(405);
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
  });

  test('serves a file that was replaced after the start', async () => {
    const { url } = await host();
    await writeFile(join(dir, 'later.html'), 'one');
    expect(await (await fetch(`${url}/later`)).text()).toBe('one');
    await writeFile(join(dir, 'later.html'), 'two, longer');
    expect(await (await fetch(`${url}/later`)).text()).toBe('two, longer');
  });

  test('is reached by the name localhost and by address', async () => {
    const { port } = await host();
    expect((await fetch(`http://localhost:${port}/`)).status).toBe(200);
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
  });

  test('rejects with EADDRINUSE when the port is taken', async () => {
    const other = createServer();
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    const { port } = other.address() as AddressInfo;
    await expect(startStaticHost({ dir, port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await new Promise((done) => other.close(done));
  });

  test('stops at once, with a connection open', async () => {
    const started = await startStaticHost({ dir });
    await fetch(started.url);
    await started.close();
    await expect(fetch(started.url)).rejects.toThrow();
  });
});
