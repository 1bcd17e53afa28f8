import { expect, it } from 'vitest';
import { modelAt, QUICK, requestFor } from '../../../tests/support/model-fixtures';
import { RecordedFetch, refused } from '../../../tests/support/recorded-fetch';

const CHAT = 'POST /v1/chat/completions';
const MODELS = 'GET /v1/models';
const PAGE = 'http://localhost:4173/worker.js';
const unread = (): Response => {
  throw new TypeError('Failed to fetch');
};

async function asked(set: (server: RecordedFetch) => void, pageUrl: string | null = PAGE) {
  const server = new RecordedFetch();
  set(server);
  const model = modelAt({ url: 'http://127.0.0.1:8080/v1' }, { fetch: server.fetch, key: 'sk-secret', pageUrl });
  const signal = new AbortController().signal;
  return { server, result: await model.complete(requestFor('q'), { signal, clocks: QUICK }) };
}

it.each([
  ['good', () => Response.json({ data: [] })],
  ['a refusal', () => refused(429, 'slow down')],
])('an answer that the page may not read is told from none: the server is there (%s)', async (_, reply) => {
  const { result, server } = await asked((each) => each.on(CHAT, unread).on(MODELS, reply));
  expect(result).toMatchObject({
    ok: false,
    failure: { code: 'cors_blocked', verdict: 'wait', details: { origin: 'http://localhost:4173' } },
  });
  expect(server.to(MODELS)[0]?.headers.get('authorization')).toBeNull();
});

it('where nobody answers at all the server is out of reach', async () => {
  const { result } = await asked((each) => each.on(CHAT, unread).on(MODELS, unread));
  expect(result).toMatchObject({ ok: false, failure: { code: 'endpoint_unreachable' } });
});

it('without a page there is no answer that may not be read', async () => {
  const { result, server } = await asked((each) => each.on(CHAT, unread).on(MODELS, () => Response.json({})), null);
  expect(result).toMatchObject({ ok: false, failure: { code: 'endpoint_unreachable' } });
  expect(server.to(MODELS)).toHaveLength(0);
});
