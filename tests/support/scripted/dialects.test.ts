import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { startModelServer } from '../model-server.mjs';
import type { DialectName, ModelServer, ModelServerOptions } from '../model-server-types';
import { recordedBody } from './answers.mjs';

let server: ModelServer;
afterEach(() => server.stop());

async function start(dialect: DialectName, options: ModelServerOptions = {}) {
  server = await startModelServer({ dialect, models: ['hermes'], ...options });
}

const recorded = (name: string): unknown =>
  JSON.parse(recordedBody(readFileSync(`tests/cases/servers/llama-cpp-${name}.txt`, 'utf8')));

function ask(more: object, headers: Record<string, string> = {}, path = `${server.url}/chat/completions`) {
  const messages = [{ role: 'user', content: 'Please count.' }];
  return fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'hermes', messages, ...more }),
  });
}

interface Whole {
  choices: { message: { content: string; tool_calls?: { function: { name: string } }[] }; finish_reason: string }[];
  usage: { prompt_tokens: number };
}
const whole = async (more: object) => (await (await ask(more)).json()) as Whole;
const get = (path: string, headers: Record<string, string> = {}) => fetch(server.origin + path, { headers });
const PAGE = 'https://talaria.example';
const BEGUN = [
  { role: 'user', content: 'Please count.' },
  { role: 'assistant', content: '1, 2, 3,' },
];
const FIELDS = { continue_final_message: true, add_generation_prompt: false };

describe('llama.cpp, as it was recorded', () => {
  it('refuses a key, a prompt that does not fit, and an unknown path in the same bytes', async () => {
    await start('llama.cpp', { key: 'sk-TEST', contextTokens: 1_024 });
    expect(await (await ask({})).json()).toEqual(recorded('40-no-key'));
    const long = { messages: [{ role: 'user', content: 'word '.repeat(2_014).trim() }] };
    const over = await ask(long, { authorization: 'Bearer sk-TEST' });
    expect(over.status).toBe(400);
    const { error } = recorded('08-overflow') as { error: object };
    expect(await over.json()).toEqual({ error });
    expect((await get('/health')).status).toBe(200);
    expect((await get('/props')).status).toBe(401);
  });

  it('lists its model and tells of its slots with the same fields', async () => {
    await start('llama.cpp', { slots: 2, contextTokens: 1_024 });
    const [listed] = (recorded('02-models') as { data: object[] }).data;
    const { data } = (await (await get('/v1/models')).json()) as { data: object[] };
    expect(Object.keys(data[0] ?? {})).toEqual(expect.arrayContaining(Object.keys(listed ?? {})));
    expect(await (await get('/slots')).json()).toEqual(recorded('04-slots'));
    expect(Object.keys((await (await get('/props')).json()) as object)).toEqual(
      expect.arrayContaining(Object.keys(recorded('03-props') as object)),
    );
  });

  it('says that it is loading on every route, and lets any page read it', async () => {
    await start('llama.cpp', { loading: true });
    const answer = await get('/health', { origin: PAGE });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([503, PAGE]);
    server.set({ loading: false });
    expect((await get('/health')).status).toBe(200);
  });

  it('repeats what it continues only where nothing is streamed', async () => {
    await start('llama.cpp');
    const answer = await whole({ messages: BEGUN, max_tokens: 4 });
    expect(answer.choices[0]?.message.content).toMatch(/^1, 2, 3, 4,/);
    const streamed = await (await ask({ messages: BEGUN, max_tokens: 4, stream: true, ...FIELDS })).text();
    expect(streamed).toContain('"content":" 4,');
    expect(streamed).not.toContain('1, 2');
  });

  it('answers as many chats at once as it has slots; the next one waits without headers', async () => {
    await start('llama.cpp', { slots: 2, delayMs: 0 });
    server.script(() => ({ type: 'stall', after: 'headers' }));
    const stop = new AbortController();
    const chat = () => ask({ stream: true });
    const body = JSON.stringify({ model: 'hermes', stream: true, messages: [] });
    await fetch(`${server.url}/chat/completions`, { method: 'POST', body, signal: stop.signal });
    await chat();
    const third = chat();
    await server.waitFor(({ requests }) => requests.length === 3);
    expect(server.inFlight).toBe(3);
    stop.abort();
    expect((await third).status).toBe(200);
  });
});

describe('vLLM', () => {
  it('continues only when both fields say so', async () => {
    await start('vllm');
    expect((await whole({ messages: BEGUN })).choices[0]?.message.content).toMatch(/^1, 2, 3,/);
    const streamed = await (await ask({ messages: BEGUN, stream: true, ...FIELDS })).text();
    expect(streamed).not.toContain('1, 2');
  });

  it('refuses a key outside its rules for other origins', async () => {
    await start('vllm', { key: 'sk-TEST' });
    const refused = await get('/v1/models', { origin: PAGE });
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, null]);
    const open = await get('/version', { origin: PAGE });
    expect([open.status, open.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
  });

  it('refuses tools that it was not started for, a model it does not have, and too much output', async () => {
    await start('vllm', { contextTokens: 200 });
    const tools = [{ type: 'function', function: { name: 'look' } }];
    expect((await ask({ tools })).status).toBe(400);
    expect((await ask({ model: 'other' })).status).toBe(404);
    expect(await (await ask({ max_tokens: 500 })).text()).toContain('maximum context length is 200 tokens');
  });
});

describe('Ollama', () => {
  it('cuts a prompt that does not fit, and says nothing', async () => {
    await start('ollama', { contextTokens: 100 });
    const answer = await whole({ messages: [{ role: 'user', content: 'word '.repeat(900) }] });
    expect(answer.usage.prompt_tokens).toBe(100);
    expect(answer.choices[0]?.finish_reason).toBe('stop');
  });

  it('turns away a page it was not told of with 403, and takes one from this machine', async () => {
    await start('ollama');
    expect((await get('/v1/models', { origin: PAGE })).status).toBe(403);
    expect((await get('/v1/models', { origin: 'http://localhost:4173' })).status).toBe(200);
    server.set({ allowedOrigins: [PAGE] });
    expect((await get('/v1/models', { origin: PAGE })).status).toBe(200);
    expect(await (await get('/api/version')).json()).toMatchObject({ version: '0.13.1' });
  });

  it('calls a tool in fields, streamed or not', async () => {
    await start('ollama');
    const tools = [{ type: 'function', function: { name: 'look' } }];
    const { choices } = await whole({ tools });
    expect(choices[0]).toMatchObject({ finish_reason: 'tool_calls', message: { content: '' } });
    expect(choices[0]?.message.tool_calls?.[0]?.function.name).toBe('look');
    expect(await (await ask({ tools, stream: true })).text()).toContain('"finish_reason":"tool_calls"');
  });
});

describe('LM Studio', () => {
  it('lets no page read it before its switch is on, and answers 200 on paths it does not know', async () => {
    await start('lm-studio');
    const foreign = await get('/v1/models', { origin: PAGE });
    expect([foreign.status, foreign.headers.get('access-control-allow-origin')]).toEqual([200, null]);
    server.set({ allowedOrigins: [PAGE] });
    const known = await get('/models', { origin: PAGE });
    expect([known.status, known.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    expect(await known.text()).toContain('Unexpected endpoint');
  });
});

it('keeps a whole answer back as a proxy does, and holds it to a schema', async () => {
  await start('vllm', { buffered: true, betweenMs: 1, tokensPerChunk: 1 });
  const response_format = {
    type: 'json_schema',
    json_schema: { schema: { type: 'object', properties: { ok: { type: 'boolean' } } } },
  };
  const { choices } = await whole({ response_format });
  expect(choices[0]?.message.content).toBe('{"ok":true}');
  const reader = (await ask({ stream: true, max_tokens: 8 })).body?.getReader();
  const first = new TextDecoder().decode((await reader?.read())?.value);
  expect(first).toContain('[DONE]');
});

it('keeps to a schema in which a value may be missing', async () => {
  await start('llama.cpp');
  const properties = {
    vendor: { type: ['string', 'null'] },
    total: { type: ['number', 'null'] },
    paid: { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
  };
  const { choices } = await whole({
    response_format: { type: 'json_schema', json_schema: { schema: { type: 'object', properties } } },
  });
  expect(choices[0]?.message.content).toBe('{"vendor":"x","total":0,"paid":true}');
});
