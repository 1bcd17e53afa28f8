import { afterEach, describe, expect, it } from 'vitest';
import { digestOf, startModelServer } from './model-server.mjs';
import type { ModelServer, ModelServerOptions } from './model-server-types';

let server: ModelServer;
afterEach(() => server.stop());

async function start(options: ModelServerOptions = {}) {
  server = await startModelServer(options);
  return server;
}

function ask(
  content: string,
  more: object = {},
  init: { headers?: Record<string, string>; signal?: AbortSignal } = {},
) {
  return fetch(`${server.url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...init.headers },
    body: JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content }], ...more }),
    signal: init.signal,
  });
}

interface Frame {
  choices: { delta: { content?: string }; finish_reason: string | null }[];
  usage?: { total_tokens: number };
}

function framesOf(sse: string): Frame[] {
  return sse
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice(6)) as Frame);
}

function textOf(sse: string): string {
  return framesOf(sse)
    .flatMap((frame) => frame.choices.map((choice) => choice.delta.content ?? ''))
    .join('');
}

describe('the default answer', () => {
  it('streams the same text for the same question, with finish reason, usage and an end mark', async () => {
    await start();
    const first = await (await ask('回答我\n第二行', { stream_options: { include_usage: true } })).text();
    const second = await (await ask('回答我\n第二行', { stream_options: { include_usage: true } })).text();
    expect(textOf(first)).toBe(textOf(second));
    expect(textOf(first)).toContain(digestOf('回答我\n第二行'));
    expect(textOf(first)).toContain('- Begins: 回答我\n- Ends: 第二行');
    expect(framesOf(first).some((frame) => frame.choices[0]?.finish_reason === 'stop')).toBe(true);
    expect(framesOf(first).at(-1)?.usage?.total_tokens).toBeGreaterThan(10);
    expect(first.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(server.countByContent()).toEqual(new Map([['回答我\n第二行', 2]]));
  });

  it('stops at max_tokens with finish reason length, and answers plain JSON when no stream is asked', async () => {
    await start();
    const cut = await (await ask('x', { max_tokens: 1 })).text();
    expect(textOf(cut)).toBe('Summary');
    expect(cut).toContain('"finish_reason":"length"');
    const whole = (await (await ask('x', { stream: false })).json()) as { choices: { message: { content: string } }[] };
    expect(whole.choices[0]?.message.content).toContain(digestOf('x'));
  });
});

describe('faults', () => {
  it('replays bytes cut anywhere', async () => {
    await start();
    const bytes = Buffer.from('data: 「漢字」👩‍💻\n\n');
    server.script(() => ({ type: 'raw', bytes, cuts: [7, 8, 9, 20], pauseMs: 2 }));
    expect(Buffer.from(await (await ask('x')).arrayBuffer()).equals(bytes)).toBe(true);
  });

  it('resets in mid stream after the bytes arrived', async () => {
    await start();
    server.script(() => ({ type: 'raw', bytes: Buffer.from('data: half\n\n'), end: 'reset' }));
    const response = await ask('x');
    await expect(response.text()).rejects.toThrow(TypeError);
    await server.waitFor(({ requests }) => requests[0]?.aborted === true);
  });

  it('refuses connections after it went away, and serves again on the same port', async () => {
    await start();
    const url = server.url;
    server.script(() => ({ type: 'refuse' }));
    await expect(ask('a')).rejects.toThrow();
    await expect(ask('b')).rejects.toThrow();
    expect(server.requests).toHaveLength(1);
    server.script(null);
    await server.restart();
    expect(server.url).toBe(url);
    expect((await ask('c')).status).toBe(200);
  });

  it('kills live connections', async () => {
    await start();
    server.script(() => ({ type: 'stall', after: 'tokens', tokens: 2 }));
    const body = (await ask('x')).text();
    server.killConnections();
    await expect(body).rejects.toThrow();
  });
});

describe('what it saw', () => {
  it('holds chats at a barrier and lets them go one by one', async () => {
    await start();
    server.hold();
    const answers = [ask('a'), ask('b')];
    await server.waitFor(({ held }) => held === 2);
    expect(server.inFlight).toBe(2);
    server.release(1);
    await server.waitFor(({ inFlight }) => inFlight === 1);
    expect(server.held).toBe(1);
    server.release();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
  });

  it('tells who gave up', async () => {
    await start();
    server.hold();
    const giveUp = new AbortController();
    const answer = ask('a', {}, { signal: giveUp.signal });
    await server.waitFor(({ held }) => held === 1);
    giveUp.abort();
    await expect(answer).rejects.toThrow();
    await server.waitFor(({ requests }) => requests[0]?.aborted === true);
    expect(server.held).toBe(0);
    expect(server.requests[0]?.finished).toBe(false);
  });
});

describe('access', () => {
  it('asks for the key', async () => {
    await start({ key: 'sk-TEST-123456' });
    expect((await ask('x')).status).toBe(401);
    expect((await ask('x', {}, { headers: { authorization: 'Bearer sk-TEST-123456' } })).status).toBe(200);
    expect((await fetch(`${server.url}/models`)).status).toBe(401);
  });

  it('answers preflights by variant', async () => {
    await start({ cors: 'headers-too-few' });
    const preflight = () =>
      fetch(`${server.url}/models`, {
        method: 'OPTIONS',
        headers: { origin: 'http://page.test', 'access-control-request-headers': 'x-odd' },
      });
    expect((await preflight()).headers.get('access-control-allow-headers')).toBe('content-type, authorization');
    server.set({ cors: 'good' });
    expect((await preflight()).headers.get('access-control-allow-headers')).toBe('x-odd');
    server.set({ cors: 'origin-missing' });
    expect((await preflight()).headers.get('access-control-allow-origin')).toBeNull();
    server.set({ cors: 'no-options-handler' });
    expect((await preflight()).status).toBe(405);
    expect(server.preflights).toBe(4);
  });

  it('lists its models', async () => {
    await start({ models: [{ id: 'hermes', max_model_len: 4096 }] });
    const list = (await (await fetch(`${server.url}/models`)).json()) as { data: object[] };
    expect(list.data).toEqual([{ object: 'model', owned_by: 'tests', id: 'hermes', max_model_len: 4096 }]);
  });
});
