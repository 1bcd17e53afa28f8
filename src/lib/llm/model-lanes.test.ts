import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { askOnce, modelAt, realClock } from '../../../tests/support/model-fixtures';
import { startModelServer } from '../../../tests/support/model-server.mjs';
import type { Behaviour, ModelServer } from '../../../tests/support/model-server-types';
import { DEFAULT_ENDPOINT_SETTINGS } from '../core/endpoint-settings';
import { openEndpointLine } from './throughput/endpoint-line';

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.stop());

const never = new AbortController().signal;

async function over(moreUrls: readonly string[]) {
  const settings = { ...DEFAULT_ENDPOINT_SETTINGS, concurrency: 8, moreUrls };
  const { line } = openEndpointLine(
    { baseUrl: server.url, isSecret: true, settings, capabilities: null },
    { clock: realClock, levels: null },
  );
  // The typed address is full: whoever comes next takes another.
  const turns = await Promise.all([1, 2, 3, 4, 5].map(() => line.enter(1, never)));
  return { model: modelAt(server, { line }), turns };
}

describe('a request on another address of the server', () => {
  it('goes there', async () => {
    const second = await startModelServer();
    try {
      const { model } = await over([second.url]);
      second.script(() => ({ type: 'stream', chunks: ['Hello.'] }));
      expect((await askOnce(model, 'q')).result).toMatchObject({ ok: true, value: { text: 'Hello.' } });
      expect([second.requests.length, server.requests.length]).toEqual([1, 0]);
    } finally {
      await second.stop();
    }
  });

  it('goes to the typed one instead when nobody answers there, which is no failure of the endpoint', async () => {
    const gone = await startModelServer();
    await gone.stop();
    const { model, turns } = await over([gone.url]);
    server.script(() => ({ type: 'stream', chunks: ['Hello.'] }));
    const asking = askOnce(model, 'q');
    turns[0]?.end({ how: 'other' });
    expect((await asking).result).toMatchObject({ ok: true, value: { text: 'Hello.' } });
    expect(server.requests).toHaveLength(1);
  });

  it.each<[string, Behaviour]>([
    ['a key that it refuses', { type: 'json', status: 401, body: { error: { message: 'Invalid API key' } } }],
    ['another model', { type: 'json', status: 404, body: { error: { message: 'model not found' } } }],
    ['another program', { type: 'json', status: 404, body: {} }],
    ['a page', { type: 'html' }],
    ['a redirect', { type: 'html', status: 302, headers: { location: 'https://login.example/' } }],
    ['a model that loads', { type: 'json', status: 503, body: { error: { message: 'Loading model' } } }],
    ['a balance that is spent', { type: 'json', status: 402, body: { error: { message: 'insufficient credits' } } }],
    ['nothing', { type: 'stall', after: 'request' }],
  ])('goes to the typed one instead when it meets %s there', async (_, behaviour) => {
    const second = await startModelServer();
    try {
      const { model, turns } = await over([second.url]);
      second.script(() => behaviour);
      server.script(() => ({ type: 'stream', chunks: ['Hello.'] }));
      const asking = askOnce(model, 'q', { clocks: { connectMs: 300 } });
      await second.waitFor(({ requests }) => requests.length === 1);
      turns[0]?.end({ how: 'other' });
      expect((await asking).result).toMatchObject({ ok: true, value: { text: 'Hello.' } });
    } finally {
      await second.stop();
    }
  });

  it.each<[string, Behaviour]>([
    ['failed', { type: 'json', status: 500, body: { error: { message: 'boom' } } }],
    ['had nobody behind it', { type: 'html', status: 502, body: '<h1>502 Bad Gateway</h1>' }],
    ['was busy', { type: 'json', status: 503, body: { error: { message: 'Service Unavailable' } } }],
    ['cut the answer', { type: 'stream', chunks: ['He'], finish: null }],
    ['fell silent', { type: 'stall', after: 'tokens', tokens: 1 }],
    ['talked nonsense', { type: 'raw', bytes: new TextEncoder().encode('data: {\n\ndata: {\n\n') }],
  ])('does not go where it twice %s, however free that is', async (_, behaviour) => {
    const second = await startModelServer();
    try {
      const { model, turns } = await over([second.url]);
      await askOnce(model, 'q');
      second.script(() => behaviour);
      // One request stays out at home, so that the other address is the one with less to do.
      turns.slice(1).forEach((turn) => turn.end({ how: 'other' }));
      const ask = () => askOnce(model, 'q', { clocks: { idleMs: 300 } });
      expect([await ask(), await ask()].map(({ result }) => result.ok)).toEqual([false, false]);
      expect((await ask()).result).toMatchObject({ ok: true });
      expect([second.requests.length, server.requests.length]).toEqual([3, 1]);
    } finally {
      await second.stop();
    }
  });

  it('goes there again after one that was refused for what was asked', async () => {
    const second = await startModelServer();
    try {
      const { model } = await over([second.url]);
      second.script(() => ({ type: 'json', status: 400, body: { error: { message: 'bad request' } } }));
      expect((await askOnce(model, 'q')).result).toMatchObject({
        failure: { code: 'request_rejected', details: { url: second.url } },
      });
      second.script(null);
      expect((await askOnce(model, 'q')).result).toMatchObject({ ok: true });
      expect(second.requests).toHaveLength(2);
    } finally {
      await second.stop();
    }
  });
});
