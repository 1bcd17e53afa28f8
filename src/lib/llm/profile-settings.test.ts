import { afterEach, beforeEach, expect, it } from 'vitest';
import { askOnce, modelAt } from '../../../tests/support/model-fixtures';
import { startModelServer } from '../../../tests/support/model-server.mjs';
import type { ModelServer } from '../../../tests/support/model-server-types';
import { DEFAULT_ENDPOINT_SETTINGS, type EndpointSettings } from '../core/endpoint-settings';

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.stop());

const set = (more: Partial<EndpointSettings>): EndpointSettings => ({ ...DEFAULT_ENDPOINT_SETTINGS, ...more });
const refusal = (message: string) => ({
  type: 'json' as const,
  status: 400,
  body: { error: { message, type: 'invalid_request_error', param: null, code: null } },
});

it('sends the person’s headers, fields and sampling with each question, and the key as always', async () => {
  const settings = set({
    headers: { 'X-Title': 'Talaria at home', 'api-key': 'k' },
    body: { top_k: 40, chat_template_kwargs: { enable_thinking: false } },
    sampling: { temperature: 0.7, topP: 0.9, seed: 7 },
  });
  await askOnce(modelAt(server, { settings, key: 'sk-1' }), 'q');
  const [asked] = server.requests;
  expect(asked?.headers).toMatchObject({ 'x-title': 'Talaria at home', 'api-key': 'k', authorization: 'Bearer sk-1' });
  expect(asked?.body).toMatchObject({
    model: 'hermes-test',
    stream: true,
    top_k: 40,
    chat_template_kwargs: { enable_thinking: false },
    temperature: 0.7,
    top_p: 0.9,
    seed: 7,
    max_tokens: 200,
  });
});

it('sends none of it where nothing was set', async () => {
  await askOnce(modelAt(server), 'q');
  expect(server.requests[0]?.body).toMatchObject({ temperature: 0 });
  for (const field of ['top_p', 'seed', 'extra']) expect(server.requests[0]?.body).not.toHaveProperty(field);
});

it('lets nothing of the person’s own take the place of what Talaria sets itself', async () => {
  const settings = set({ body: { model: 'other', stream: false, messages: [], max_tokens: 1, temperature: 2 } });
  await askOnce(modelAt(server, { settings }), 'q');
  expect(server.requests[0]?.body).toMatchObject({
    model: 'hermes-test',
    stream: true,
    max_tokens: 200,
    temperature: 0,
    messages: [{ role: 'system' }, { role: 'user', content: 'q' }],
  });
});

it('leaves a refused temperature out where a task asked for it, and never one that the person set', async () => {
  server.script(() => refusal("Unsupported parameter: 'temperature' is not supported with this model."));
  await askOnce(modelAt(server), 'q');
  expect(server.requests.map(({ body }) => 'temperature' in body)).toEqual([true, false]);
  const settings = set({ sampling: { temperature: 0.7, topP: null, seed: null } });
  const { result } = await askOnce(modelAt(server, { settings }), 'q');
  expect(result).toMatchObject({ ok: false, failure: { code: 'request_rejected' } });
  expect(server.requests).toHaveLength(3);
});
