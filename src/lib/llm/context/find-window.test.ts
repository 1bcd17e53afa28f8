import { describe, expect, it } from 'vitest';
import { networkThat, realClock } from '../../../../tests/support/model-fixtures';
import { findWindow } from './find-window';

const LISTED = { data: [{ id: 'hermes' }] };

function found(answers: Readonly<Record<string, unknown>>, key: string | null = null) {
  const asked: { path: string; authorization: string | null }[] = [];
  const fetch = (input: string | URL | Request, init?: RequestInit) => {
    const { pathname, origin } = new URL(input instanceof Request ? input.url : input);
    expect(origin).toBe('http://127.0.0.1:9');
    asked.push({ path: pathname, authorization: new Headers(init?.headers).get('authorization') });
    const answer = answers[pathname];
    return Promise.resolve(answer === undefined ? new Response('no', { status: 404 }) : Response.json(answer));
  };
  const window = findWindow({
    baseUrl: 'http://127.0.0.1:9/v1',
    model: 'hermes',
    key,
    clock: realClock,
    network: networkThat(true),
    signal: new AbortController().signal,
    fetch,
  });
  return window.then((tokens) => ({ tokens, asked }));
}

describe('the window of a server', () => {
  it.each([
    ['its list of models', { '/v1/models': { data: [{ id: 'hermes', max_model_len: 32_768 }] } }, 32_768],
    ['/props', { '/v1/models': LISTED, '/props': { default_generation_settings: { n_ctx: 8_192 } } }, 8_192],
    [
      'Ollama, of the model that is loaded',
      { '/v1/models': LISTED, '/api/ps': { models: [{ name: 'hermes:latest', context_length: 4_096 }] } },
      4_096,
    ],
    [
      'LM Studio',
      { '/v1/models': LISTED, '/api/v0/models': { data: [{ id: 'hermes', loaded_context_length: 2_048 }] } },
      2_048,
    ],
    ['nobody', { '/v1/models': LISTED }, null],
  ])('is told by %s', async (_, answers, tokens) => {
    expect((await found(answers)).tokens).toBe(tokens);
  });

  it('is not looked for at a server that does not list its models', async () => {
    const { tokens, asked } = await found({});
    expect([tokens, asked.length]).toEqual([null, 1]);
  });

  it('is asked for with the key, which goes to the typed address alone', async () => {
    const { asked } = await found({ '/v1/models': LISTED }, 'secret');
    expect(new Set(asked.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer secret']));
  });
});
