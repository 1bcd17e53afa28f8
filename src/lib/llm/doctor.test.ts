import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { corsFetch } from '../../../tests/support/cors-fetch';
import { networkThat, realClock } from '../../../tests/support/model-fixtures';
import { startModelServer } from '../../../tests/support/model-server.mjs';
import type { CorsVariant, ModelServer, ModelServerOptions } from '../../../tests/support/model-server-types';
import { PROBES, type ProbeReport } from '../core/doctor';
import { failure } from '../core/failure';
import { FakeClock } from '../testing/fake-clock';
import { testEndpoint, type DoctorOptions } from './doctor';

const PAGE = 'https://talaria.test/new';
const OK_PERMISSION: DoctorOptions['permission'] = () => Promise.resolve('granted');

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterEach(() => {
  server.script(null);
  server.scriptOthers(null);
  server.set({ key: undefined, models: undefined, cors: undefined, basePath: undefined, strictModel: undefined });
  server.forget();
});
afterAll(() => server.stop());

async function examine(more: Partial<DoctorOptions> = {}) {
  const onProbe = vi.fn<(probe: ProbeReport) => void>();
  const report = await testEndpoint({
    baseUrl: server.url,
    model: 'hermes',
    key: null,
    clock: realClock,
    network: networkThat(true),
    signal: new AbortController().signal,
    fetch: corsFetch('https://talaria.test'),
    permission: OK_PERMISSION,
    pageUrl: PAGE,
    onProbe,
    ...more,
  });
  const states = Object.fromEntries(report.probes.map(({ probe, state }) => [probe, state]));
  return { report, states, told: onProbe.mock.calls.map(([{ probe, state }]) => `${probe} ${state}`) };
}

function serve(options: ModelServerOptions = {}) {
  server.set({ models: [{ id: 'hermes', max_model_len: 8192 }], ...options });
}

describe('a server in order', () => {
  it('passes every probe, tells each as it goes, and lists the models with their context', async () => {
    serve();
    const { report, told } = await examine({ baseUrl: ` ${server.origin}/ ` });
    expect(report).toMatchObject({ state: 'ready', failure: null, baseUrl: server.url });
    expect(report.models).toEqual([{ id: 'hermes', contextTokens: 8192 }]);
    expect(report.firstTokenMs).toBeGreaterThan(0);
    expect(told.slice(0, 18)).toEqual(PROBES.slice(0, 9).flatMap((probe) => [`${probe} running`, `${probe} passed`]));
    expect(report.probes.map(({ probe }) => probe)).toEqual(PROBES);
    expect(server.requests[0]?.body).toMatchObject({ max_tokens: 1, stream: true });
  });

  it('SSE-27: passes a server that allows content-type and authorization only', async () => {
    serve({ cors: 'headers-too-few', key: 'sk-TEST-123456' });
    const { report } = await examine({ key: 'sk-TEST-123456' });
    expect(report.state).toBe('ready');
    expect(server.preflights).toBeGreaterThan(1);
  });

  it('SSE-27: says of every recorded way to answer a page whether it works, and never a bare "failed to fetch"', async () => {
    const file = new URL('../../../tests/cases/http/sse27-cors-preflight.json', import.meta.url);
    const { server_variants: variants } = JSON.parse(readFileSync(file, 'utf8')) as {
      server_variants: { name: CorsVariant }[];
    };
    const seen: Record<string, string> = {};
    for (const { name } of variants) {
      serve({ cors: name, key: 'sk-TEST-123456' });
      seen[name] = (await examine({ key: 'sk-TEST-123456' })).report.state;
    }
    expect(seen).toEqual({
      'no-options-handler': 'cors_blocked',
      'origin-missing': 'cors_blocked',
      'headers-too-few': 'ready',
      good: 'ready',
    });
  });

  it('skips the model where there is no list, and lets the answer decide', async () => {
    server.scriptOthers(() => ({ type: 'json', status: 404, body: { error: 'no such route' } }));
    const { report, states } = await examine();
    expect(report.state).toBe('ready');
    expect(states.model).toBe('skipped');
  });

  it('takes an empty token with a finish reason for an answer', async () => {
    serve();
    server.script(() => ({ type: 'stream', chunks: [], finish: 'length' }));
    expect((await examine()).report.state).toBe('ready');
  });

  it('does not wait for a server that ignores the token limit', async () => {
    serve();
    server.script(({ id }) => (id === server.requests[0]?.id ? { type: 'stall', after: 'tokens', tokens: 2 } : null));
    const { report } = await examine();
    expect(report.state).toBe('ready');
    await server.waitFor(({ requests }) => requests[0]?.aborted === true);
  });
});

describe('what is wrong, and at which probe', () => {
  it('url: not an address', async () => {
    const { report, states } = await examine({ baseUrl: 'http://user:secret@host/v1' });
    expect(report.state).toBe('url_invalid');
    expect(JSON.stringify(report.failure)).not.toContain('secret');
    const { url, ...others } = states;
    expect([url, ...new Set(Object.values(others))]).toEqual(['failed', 'skipped']);
  });

  it('SSE-29: reachable: nothing listens, and localhost is told to try 127.0.0.1', async () => {
    const gone = await startModelServer();
    await gone.stop();
    const { report, states } = await examine({ baseUrl: `localhost:${gone.port}/v1` });
    expect(report.failure).toMatchObject({
      code: 'endpoint_unreachable',
      details: { url: `http://localhost:${gone.port}/v1`, suggestion: `http://127.0.0.1:${gone.port}/v1` },
    });
    expect(states.reachable).toBe('failed');
  });

  const unreachable: typeof fetch = () => Promise.reject(new TypeError('Failed to fetch'));

  it('secure: mixed content, but never for a loopback address or a plain http page', async () => {
    const lan = { baseUrl: 'http://gpu.example.com:8000/v1', fetch: unreachable };
    expect((await examine(lan)).report.state).toBe('mixed_content');
    expect((await examine({ ...lan, pageUrl: 'http://localhost:4173/' })).report.state).toBe('endpoint_unreachable');
    expect((await examine({ fetch: unreachable })).report.state).toBe('endpoint_unreachable');
  });

  it('secure: whatever is asked of the local network by an https page says so beforehand, or it would be blocked', async () => {
    serve();
    const lan = 'http://192.168.1.9:8000';
    const spaces: unknown[] = [];
    const throughCors = corsFetch('https://talaria.test');
    const fetched: typeof fetch = (input, init: RequestInit & { targetAddressSpace?: string } = {}) => {
      spaces.push(init.targetAddressSpace);
      return throughCors(new Request(input).url.replace(lan, server.origin), init);
    };
    const { report } = await examine({ baseUrl: `${lan}/v1`, fetch: fetched });
    expect(report).toMatchObject({ state: 'ready', capabilities: { streaming: 'tokens' } });
    expect(new Set(spaces)).toEqual(new Set(['local']));
  });

  it('permission: the local network is not allowed', async () => {
    const permission = vi.fn(() => Promise.resolve<PermissionState>('denied'));
    expect((await examine({ permission })).report.state).toBe('local_network_denied');
    expect(permission).toHaveBeenCalledWith('loopback-network');
    expect(server.otherRequests).toHaveLength(0);
    const lan = { baseUrl: 'http://192.168.1.9:8000/v1', fetch: unreachable };
    expect((await examine({ ...lan, permission })).report.state).toBe('local_network_denied');
    expect(permission).toHaveBeenLastCalledWith('local-network');
    const unanswered = () => Promise.resolve<PermissionState>('prompt');
    expect((await examine({ fetch: unreachable, permission: unanswered })).report.state).toBe('local_network_denied');
  });

  it('reachable: a page on loopback needs no permission', async () => {
    serve();
    const permission = vi.fn(() => Promise.resolve<PermissionState>('denied'));
    const { report } = await examine({ permission, pageUrl: 'http://localhost:4173/' });
    expect(report.state).toBe('ready');
    expect(permission).not.toHaveBeenCalled();
  });

  it('reachable: the device is offline', async () => {
    const { report } = await examine({
      baseUrl: 'https://models.example.com/v1',
      fetch: unreachable,
      network: networkThat(false),
    });
    expect(report.state).toBe('network_offline');
  });

  it.each(['origin-missing'] as const)('SSE-27: cors: %s', async (cors) => {
    serve({ cors });
    const { report, states } = await examine();
    expect(report.failure).toMatchObject({
      code: 'cors_blocked',
      details: { url: server.url, origin: 'https://talaria.test' },
    });
    expect(states).toMatchObject({ reachable: 'passed', cors: 'failed' });
  });

  it('SSE-27: cors: a server without an answer to preflights, found out by the question itself', async () => {
    serve({ cors: 'no-options-handler' });
    const { report, states } = await examine();
    expect(report.failure).toMatchObject({ code: 'cors_blocked', details: { header: 'content-type' } });
    expect(states).toMatchObject({ cors: 'passed', answer: 'failed' });
  });

  it('key: refused, or not one that can be sent', async () => {
    serve({ key: 'sk-TEST-123456' });
    const { report, states } = await examine({ key: 'sk-WRONG-1' });
    expect(report.state).toBe('auth_failed');
    expect(states).toMatchObject({ cors: 'passed', key: 'failed', answer: 'skipped' });
    expect((await examine({ key: 'kéy' })).report.state).toBe('auth_failed');
  });

  it.each(['sk-WRONG-1', null])('key: %s is not called good because the list is open to everybody', async (key) => {
    serve({ key: 'sk-TEST-123456' });
    server.scriptOthers(() => ({ type: 'json', body: { object: 'list', data: [{ id: 'hermes' }] } }));
    const { report, states } = await examine({ key });
    expect(report.failure).toMatchObject({ code: 'auth_failed' });
    expect(states).toMatchObject({ model: 'passed', key: 'failed', answer: 'failed' });
    expect(report.probes.find(({ probe }) => probe === 'key')).toMatchObject({
      finding: null,
      failure: report.failure,
    });
  });

  it('key: kept for a profile, and not at hand now', async () => {
    serve({ key: 'sk-TEST-123456' });
    const { report, states } = await examine({ keyFailure: failure('key_unavailable') });
    expect(report.state).toBe('key_unavailable');
    expect(states).toMatchObject({ cors: 'passed', key: 'failed', answer: 'skipped' });
  });

  it('model: not in the list', async () => {
    serve();
    const { report, states } = await examine({ model: 'other' });
    expect(report.failure).toMatchObject({ code: 'model_not_found', details: { model: 'other', available: 'hermes' } });
    expect(states).toMatchObject({ key: 'passed', model: 'failed' });
    expect(report.models).toHaveLength(1);
  });

  it('model: a name without a tag is the latest', async () => {
    serve({ models: ['hermes3:latest'] });
    expect((await examine({ model: 'hermes3' })).report.state).toBe('ready');
  });

  it('loading: is waited for, and is the failure when it takes for ever', async () => {
    const body = { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } };
    const loading: typeof fetch = () => Promise.resolve(Response.json(body, { status: 503 }));
    const clock = new FakeClock();
    const { report, states } = await clock.run(examine({ clock, fetch: loading }));
    expect(report.state).toBe('endpoint_loading');
    expect(states).toMatchObject({ cors: 'passed', loading: 'failed', key: 'skipped' });
    expect(clock.monotonicMs()).toBeGreaterThanOrEqual(180_000);
  });

  it('answer: a base URL without /v1 gets the right one offered', async () => {
    serve({ basePath: '/api/v1' });
    const { report } = await examine({ baseUrl: `${server.origin}/api` });
    expect(report.failure).toMatchObject({
      code: 'wrong_base_url',
      details: { url: `${server.origin}/api`, suggestion: `${server.origin}/api/v1` },
    });
  });

  it('answer: a web page at that address', async () => {
    server.scriptOthers(() => ({ type: 'html' }));
    server.script(() => ({ type: 'html' }));
    expect((await examine()).report.state).toBe('login_page');
  });

  it('answer: a model that is listed but does not answer', async () => {
    serve();
    server.script(() => ({ type: 'json', status: 500, body: { error: { message: 'CUDA out of memory' } } }));
    expect((await examine()).report.failure).toMatchObject({ code: 'server_fault', message: 'CUDA out of memory' });
  });
});

describe('limits', () => {
  it('a server that accepts and says nothing is a connect timeout', async () => {
    server.scriptOthers(() => ({ type: 'stall', after: 'request' }));
    const clock = new FakeClock();
    const examining = examine({ clock });
    await server.waitFor(({ otherRequests }) => otherRequests.length === 1);
    await clock.advance(2_999);
    expect(server.otherRequests[0]?.aborted).toBe(false);
    await clock.advance(1);
    const { report, states } = await clock.run(examining);
    expect(report.failure).toMatchObject({ code: 'connect_timeout', details: { limitMs: 3_000 } });
    expect(states.reachable).toBe('failed');
    await server.waitFor(({ otherRequests }) => otherRequests[0]?.aborted === true);
  });

  it('a model that does not begin to answer is a first token timeout', async () => {
    serve();
    server.hold();
    const clock = new FakeClock();
    const examining = examine({ clock });
    await server.waitFor(({ held }) => held === 1);
    await clock.advance(5_000);
    const { report } = await examining;
    server.release();
    expect(report.failure).toMatchObject({ code: 'first_token_timeout', details: { limitMs: 5_000 } });
  });

  it('rejects when it is aborted, at any probe', async () => {
    serve();
    server.hold();
    const stop = new AbortController();
    const examining = examine({ signal: stop.signal });
    await server.waitFor(({ held }) => held === 1);
    stop.abort();
    await expect(examining).rejects.toMatchObject({ name: 'AbortError' });
    await server.waitFor(({ inFlight }) => inFlight === 0);
    server.release();
  });
});
