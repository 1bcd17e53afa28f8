import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { networkThat, realClock } from '../../../tests/support/model-fixtures';
import { startModelServer } from '../../../tests/support/model-server.mjs';
import type { ModelServer } from '../../../tests/support/model-server-types';
import { listModels } from './list-models';

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer({ models: ['a', { id: 'b', max_model_len: 4096 }], key: 'sk-TEST-123456' });
});
afterEach(() => server.stop());

const list = (key: string | null, signal = new AbortController().signal) =>
  listModels({ baseUrl: server.url, key, clock: realClock, network: networkThat(true), signal });

describe('listModels', () => {
  it('gives names and contexts', async () => {
    expect(await list('sk-TEST-123456')).toEqual({
      ok: true,
      value: [
        { id: 'a', contextTokens: null },
        { id: 'b', contextTokens: 4096 },
      ],
    });
  });

  it('fails as the server does', async () => {
    expect(await list(null)).toMatchObject({ ok: false, failure: { code: 'auth_failed' } });
    expect(await list('no\nkey')).toMatchObject({ ok: false, failure: { code: 'auth_failed' } });
    server.scriptOthers(() => ({ type: 'html' }));
    expect(await list(null)).toMatchObject({ ok: false, failure: { code: 'login_page' } });
    await server.stop();
    expect(await list(null)).toMatchObject({ ok: false, failure: { code: 'endpoint_unreachable' } });
  });

  it('rejects when it is aborted', async () => {
    server.scriptOthers(() => ({ type: 'stall', after: 'request' }));
    const stop = new AbortController();
    const listing = list(null, stop.signal);
    await server.waitFor(({ otherRequests }) => otherRequests.length === 1);
    stop.abort();
    await expect(listing).rejects.toMatchObject({ name: 'AbortError' });
  });
});
