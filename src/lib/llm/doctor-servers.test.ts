import { afterEach, describe, expect, it } from 'vitest';
import { corsFetch } from '../../../tests/support/cors-fetch';
import { networkThat, realClock } from '../../../tests/support/model-fixtures';
import { startModelServer } from '../../../tests/support/model-server.mjs';
import type { DialectName, ModelServer, ModelServerOptions, Script } from '../../../tests/support/model-server-types';
import type { Capabilities } from '../core/capabilities';
import type { ProbeReport } from '../core/doctor';
import { DEFAULT_ENDPOINT_SETTINGS } from '../core/endpoint-settings';
import { testEndpoint, type DoctorOptions } from './doctor';

const ORIGIN = 'https://talaria.test';
let server: ModelServer;
afterEach(() => server.stop());

async function examine(
  dialect: DialectName,
  served: ModelServerOptions = {},
  more: Partial<DoctorOptions> = {},
  script: Script | null = null,
) {
  server = await startModelServer({ dialect, models: ['hermes-3'], ...served });
  server.script(script);
  const report = await testEndpoint({
    baseUrl: server.url,
    model: 'hermes-3',
    key: null,
    clock: realClock,
    network: networkThat(true),
    signal: new AbortController().signal,
    fetch: corsFetch(ORIGIN),
    permission: () => Promise.resolve('granted'),
    pageUrl: `${ORIGIN}/new`,
    onProbe: () => undefined,
    ...more,
  });
  const found = Object.fromEntries(report.probes.map(({ probe, finding }) => [probe, finding?.name]));
  return { report, found };
}

const OPEN = { allowedOrigins: [ORIGIN] };

describe('what is found of each server', () => {
  const table: readonly [DialectName, ModelServerOptions, Partial<Capabilities>][] = [
    [
      'llama.cpp',
      { contextTokens: 8_192, slots: 3 },
      {
        server: 'llama.cpp',
        version: 'b11669',
        contextTokens: 8_192,
        slots: 3,
        continuing: 'fields',
        reattaching: 'query',
        schema: 'json_schema',
        tools: 'native',
        counting: 'input_tokens',
        sampleTokens: expect.any(Number) as number,
      },
    ],
    ['llama.cpp', { tools: 'text' }, { tools: 'hermes' }],
    [
      'vllm',
      { contextTokens: 16_384 },
      {
        server: 'vllm',
        version: '0.11.2',
        contextTokens: 16_384,
        continuing: 'fields',
        schema: 'json_schema',
        tools: 'hermes',
      },
    ],
    ['vllm', { tools: 'native' }, { tools: 'native' }],
    ['vllm', { tools: 'text' }, { tools: 'hermes' }],
    ['vllm', { continues: false, schema: false }, { continuing: null, schema: 'prompt' }],
    [
      'ollama',
      OPEN,
      {
        server: 'ollama',
        version: '0.13.1',
        contextTokens: 4_096,
        continuing: 'prefill',
        tools: 'native',
        schema: 'json_schema',
      },
    ],
    [
      'lm-studio',
      OPEN,
      { server: 'lm-studio', version: null, contextTokens: 4_096, continuing: null, tools: 'native' },
    ],
  ];
  it.each(table)('%s with %o', async (dialect, served, expected) => {
    const { report } = await examine(dialect, served);
    expect(report).toMatchObject({ state: 'ready', capabilities: expected });
  });

  it('a parameter that a server refuses by name says nothing of what is asked with it', async () => {
    const refusal = (param: string, message: string) =>
      ({ type: 'json', status: 400, body: { error: { message, param, code: 'unsupported_parameter' } } }) as const;
    const { report } = await examine('vllm', { tools: 'native', contextTokens: 16_384 }, {}, ({ body }) => {
      if (body.max_tokens !== undefined) {
        const message = "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
        return refusal('max_tokens', `Unsupported parameter: ${message}`);
      }
      if (body.temperature === undefined) return null;
      return refusal('temperature', "'temperature' does not support 0 with this model. Only the default (1) is.");
    });
    expect(report).toMatchObject({
      state: 'ready',
      capabilities: { schema: 'json_schema', tools: 'native', continuing: 'fields', streaming: 'tokens' },
    });
  });

  it('a model that counts on in a message of its own is no server that continues one', async () => {
    const { report, found } = await examine('ollama', OPEN, {}, ({ body }) => {
      const last = body.messages?.at(-1);
      if (last?.role !== 'assistant') return null;
      return { type: 'stream', text: last.content.endsWith('4,') ? '5, 6, 7' : 'five, six' };
    });
    expect([report.capabilities?.continuing, found.continue]).toEqual([null, 'continue_none']);
  });

  it('an answer that is begun anew and goes on without a limit is none that repeats what it continues', async () => {
    const { report } = await examine('ollama', OPEN, {}, ({ body, content }) => {
      const isBegun = body.messages?.at(-1)?.role === 'assistant';
      const words = content.includes('words') ? 'one, two, three, four, five, six' : '1, 2, 3, 4, 5, 6';
      const message = { role: 'assistant', content: words };
      return isBegun ? { type: 'json', body: { choices: [{ message, finish_reason: 'stop' }] } } : null;
    });
    expect(report.capabilities?.continuing).toBeNull();
  });

  describe('what cannot be told beside a task', () => {
    const silent: Script = ({ body }) =>
      body.stream === false ? { type: 'stream', reasoning: ['hm'], chunks: [], finish: 'length' } : null;
    const before = {
      atMs: 1,
      server: 'vllm',
      version: '0.11.2',
      slots: 3,
      continuing: 'fields',
      schema: 'json_schema',
      tools: 'native',
    } as unknown as Capabilities;
    const known = { slots: 3, continuing: 'fields', schema: 'json_schema', tools: 'native' };

    it('stands as it was found before', async () => {
      const { report, found } = await examine('vllm', {}, { isBusy: true, before }, silent);
      const { schema, tools, continue: goesOn, parallel } = found;
      expect([schema, tools, goesOn, parallel]).toEqual(['unclear', 'unclear', 'unclear', 'parallel_busy']);
      expect(report.capabilities).toMatchObject(known);
    });

    it('is not kept where it can be told that it holds no more', async () => {
      const served = { continues: false, schema: false, tools: 'text' } as const;
      const { report } = await examine('vllm', served, { isBusy: true, before });
      expect(report.capabilities).toMatchObject({ continuing: null, schema: 'prompt', tools: 'hermes' });
    });

    it.each([
      ['another server', { ...before, server: 'sglang' as const }],
      ['another version of it', { ...before, version: '0.6.0' }],
    ])('says nothing of %s', async (_, other) => {
      const { report } = await examine('vllm', {}, { isBusy: true, before: other }, silent);
      expect(report.capabilities).toMatchObject({ slots: null, schema: null, tools: null });
    });
  });

  it('a small context is a finding with a way to mend it, and no failure', async () => {
    const { report } = await examine('llama.cpp', { contextTokens: 2_048 });
    expect(report.state).toBe('ready');
    expect(report.probes.find(({ probe }) => probe === 'context')).toMatchObject({
      state: 'lacking',
      finding: { name: 'context_small', details: { server: 'llama.cpp', tokens: 2_048 } },
    });
  });

  it.each<[DialectName, readonly string[], string]>([
    ['llama.cpp', ['tiny.gguf'], 'ready'],
    ['llama.cpp', ['tiny.gguf', 'other.gguf'], 'model_not_found'],
    ['vllm', ['tiny'], 'model_not_found'],
  ])('%s with %j is asked for a name that it does not list: %s', async (dialect, models, state) => {
    const { report, found } = await examine(dialect, { models: [...models], contextTokens: 8_192 });
    expect(report.state).toBe(state);
    if (state !== 'ready') return;
    expect(found.model).toBe('model_only');
    expect(report.capabilities?.contextTokens).toBe(8_192);
  });

  it('counts what is worked on at once by what is seen, where nothing is told', async () => {
    const slow = { betweenMs: 40, tokensPerChunk: 1 };
    const { report, found } = await examine('vllm', { ...slow, slots: 3 });
    expect(report.capabilities?.slots).toBe(3);
    expect(found.parallel).toBe('parallel_count');
    await server.stop();
    const more = await examine('vllm', { ...slow, slots: 20 });
    expect(more.report.capabilities?.slots).toBeNull();
    expect(more.found.parallel).toBe('parallel_least');
  });

  it('tells a proxy that buffers from a server that streams', async () => {
    const slow = { betweenMs: 60, tokensPerChunk: 1 };
    const { report, found } = await examine('vllm', { ...slow, buffered: true }, { isBusy: true });
    expect(report.capabilities?.streaming).toBe('buffered');
    expect(found.answer).toBe('answer_buffered');
    await server.stop();
    expect((await examine('vllm', slow, { isBusy: true })).report.capabilities?.streaming).toBe('tokens');
  });

  it('does not take answers that come whole for the number of them that are written at once', async () => {
    const slow = { betweenMs: 60, tokensPerChunk: 1, slots: 4 };
    const { report, found } = await examine('vllm', { ...slow, buffered: true });
    expect(found.answer).toBe('answer_buffered');
    expect(found.parallel).toBe('unclear');
    expect(report.capabilities?.slots).toBeNull();
    expect(server.maxInFlight).toBe(1);
  });

  it('has one question out at a time, and asks none at once while a task uses the endpoint', async () => {
    const { found } = await examine('vllm', { betweenMs: 2 }, { isBusy: true });
    expect(found.parallel).toBe('parallel_busy');
    expect(server.maxInFlight).toBe(1);
  });
});

describe('what is wrong with each server', () => {
  it('vLLM: a wrong key is one, although its refusal cannot be read', async () => {
    const { report } = await examine('vllm', { key: 'sk-right' }, { key: 'sk-wrong' });
    expect(report.state).toBe('auth_failed');
  });

  it.each(['vllm', 'llama.cpp'] as const)(
    '%s: no key where one is asked for is not called a wrong one',
    async (dialect) => {
      const { report } = await examine(dialect, { key: 'sk-right' });
      expect(report.failure).toMatchObject({ code: 'auth_failed', details: { sent: 'no key' } });
      await server.stop();
      const wrong = await examine(dialect, { key: 'sk-right' }, { key: 'sk-wrong' });
      expect(wrong.report.failure?.code).toBe('auth_failed');
      expect(wrong.report.failure?.details).not.toHaveProperty('sent');
    },
  );

  it.each(['vllm', 'ollama', 'lm-studio'] as const)('%s: an origin that is not allowed is named', async (dialect) => {
    const { report } = await examine(dialect, { allowedOrigins: ['http://elsewhere.test'] });
    expect(report.failure).toMatchObject({ code: 'cors_blocked', details: { origin: ORIGIN } });
  });

  it('names the header that is not allowed', async () => {
    const settings = { ...DEFAULT_ENDPOINT_SETTINGS, headers: { 'x-team': 'blue' } };
    const { report } = await examine('vllm', { cors: 'headers-too-few' }, { settings });
    expect(report.failure).toMatchObject({ code: 'cors_blocked', details: { header: 'x-team' } });
    expect(JSON.stringify(report)).not.toContain('blue');
  });

  it('llama.cpp: waits while it loads, says so, and goes on', async () => {
    const told: ProbeReport[] = [];
    const onProbe = (probe: ProbeReport) => {
      told.push(probe);
      if (probe.finding?.name === 'loading_waited') server.set({ loading: false });
    };
    const { report } = await examine('llama.cpp', { loading: true }, { onProbe });
    expect(report.state).toBe('ready');
    const { state, finding } = told.find(({ probe, finding }) => probe === 'loading' && finding) ?? {};
    expect([state, finding?.name]).toEqual(['running', 'loading_waited']);
  });

  it('nothing at the typed name of this machine: another one that answers is offered', async () => {
    const { report } = await examine('vllm', {}, {});
    const elsewhere = `http://[::1]:${server.port}/v1`;
    const again = await testEndpoint({
      baseUrl: elsewhere,
      model: 'hermes-3',
      key: null,
      clock: realClock,
      network: networkThat(true),
      signal: new AbortController().signal,
      pageUrl: null,
      onProbe: () => undefined,
    });
    expect([report.otherUrl, again.state, again.otherUrl]).toEqual([null, 'endpoint_unreachable', server.url]);
  });
});
