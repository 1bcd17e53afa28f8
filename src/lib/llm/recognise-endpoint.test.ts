import { afterEach, describe, expect, it } from 'vitest';
import { corsFetch } from '../../../tests/support/cors-fetch';
import { networkThat, realClock } from '../../../tests/support/model-fixtures';
import { startModelServer } from '../../../tests/support/model-server.mjs';
import type { DialectName, ModelServer, ModelServerOptions } from '../../../tests/support/model-server-types';
import type { Capabilities } from '../core/capabilities';
import { recogniseEndpoint } from './recognise-endpoint';

const ORIGIN = 'https://talaria.test';
let server: ModelServer;
afterEach(() => server.stop());

async function recognised(dialect: DialectName | null, served: ModelServerOptions = {}, key: string | null = null) {
  server = await startModelServer({
    ...(dialect ? { dialect } : {}),
    models: ['hermes-3'],
    allowedOrigins: [ORIGIN],
    ...served,
  });
  return look(key);
}

async function look(key: string | null = null) {
  return recogniseEndpoint({
    baseUrl: server.url,
    model: 'hermes-3',
    key,
    clock: realClock,
    network: networkThat(true),
    signal: new AbortController().signal,
    fetch: corsFetch(ORIGIN),
    pageUrl: `${ORIGIN}/new`,
  });
}

describe('what is told of a server before its model is asked anything', () => {
  const table: readonly [DialectName, ModelServerOptions, Partial<Capabilities>][] = [
    [
      'llama.cpp',
      { contextTokens: 8_192, slots: 3 },
      {
        server: 'llama.cpp',
        contextTokens: 8_192,
        slots: 3,
        continuing: 'fields',
        reattaching: 'query',
        counting: 'input_tokens',
        sampleTokens: expect.any(Number) as number,
      },
    ],
    [
      'vllm',
      { contextTokens: 16_384 },
      {
        server: 'vllm',
        contextTokens: 16_384,
        continuing: 'fields',
        reattaching: null,
        counting: 'tokenize',
        sampleTokens: expect.any(Number) as number,
      },
    ],
    ['ollama', {}, { server: 'ollama', continuing: null, reattaching: null, counting: null }],
    ['lm-studio', {}, { server: 'lm-studio', continuing: null, reattaching: null }],
  ];
  it.each(table)('%s', async (dialect, served, found) => {
    expect(await recognised(dialect, served)).toMatchObject(found);
    expect(server.requests).toEqual([]);
  });

  it.each([
    ['0.7.0', 'fields'],
    ['1.0', 'fields'],
    ['0.6.3', null],
    ['nightly', null],
  ])('does not count on vLLM %s to go on with an answer unless it surely does', async (version, continuing) => {
    server = await startModelServer({ dialect: 'vllm', models: ['hermes-3'] });
    server.scriptOthers(({ path }) => (path === '/version' ? { type: 'json', body: { version } } : null));
    expect(await look()).toMatchObject({ server: 'vllm', continuing });
  });

  it('names no stream where a proxy lets the page send no such header', async () => {
    const found = await recognised('llama.cpp', { cors: 'headers-too-few' });
    expect(found).toMatchObject({ server: 'llama.cpp', continuing: 'fields', reattaching: null });
  });

  it('is nothing much of a server that nobody knows', async () => {
    expect(await recognised(null)).toMatchObject({
      server: 'unknown',
      continuing: null,
      reattaching: null,
      slots: null,
    });
    expect(server.requests).toEqual([]);
  });

  it('is nothing of one that does not let itself be read', async () => {
    expect(await recognised('llama.cpp', { key: 'right' }, 'wrong')).toBeNull();
  });
});
