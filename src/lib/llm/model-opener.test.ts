import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { networkThat, realClock, requestFor } from '../../../tests/support/model-fixtures';
import { startModelServer } from '../../../tests/support/model-server.mjs';
import type { ModelServer } from '../../../tests/support/model-server-types';
import type { EndpointRow } from '../core/endpoint';
import { DEFAULT_ENDPOINT_SETTINGS } from '../core/endpoint-settings';
import { failure } from '../core/failure';
import { BUILT_IN, endpointId, type EndpointId } from '../core/ids';
import { DEFAULT_SETTINGS, type Model, type ProfileStore } from '../core/ports';
import { fail, ok, type Result } from '../core/result';
import { COUNTED_SAMPLE } from './context/counted-sample';
import { NOTHING_FOUND } from '../testing/sample-capabilities';
import { createModelOpener } from './model-opener';

const ID = endpointId('home');
const BUILT_IN_MODEL: Model = {
  identity: 'built-in/1',
  contextTokens: null,
  complete: () => Promise.reject(new Error('not asked here')),
  probe: () => Promise.resolve(ok()),
};

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.stop());

function opener(key: EndpointRow['key'], stored: Result<string | null> = ok(null)) {
  let row: EndpointRow | null = {
    v: 1,
    id: ID,
    name: 'Home',
    baseUrl: server.url,
    model: 'hermes',
    key,
    contextTokens: 4096,
    createdMs: 1,
    updatedMs: 1,
    lastCheck: null,
  };
  const profiles: ProfileStore = {
    endpoints: () => Promise.resolve(ok(row ? [row] : [])),
    endpoint: (id) => Promise.resolve(ok(row?.id === id ? row : null)),
    putEndpoint: () => Promise.resolve(ok()),
    noteEndpoint: () => Promise.resolve(ok()),
    removeEndpoint: () => Promise.resolve(ok()),
    endpointKey: () => Promise.resolve(stored),
    breaker: () => Promise.resolve(ok(null)),
    putBreaker: () => Promise.resolve(ok()),
    removeBreaker: () => Promise.resolve(ok()),
    learned: () => Promise.resolve(ok(null)),
    putLearned: () => Promise.resolve(ok()),
    settings: () => Promise.resolve(ok(DEFAULT_SETTINGS)),
    putSettings: () => Promise.resolve(ok()),
  };
  const sessionKeys = new Map<EndpointId, string>();
  const models = createModelOpener({
    profiles,
    sessionKeys,
    builtIn: BUILT_IN_MODEL,
    clock: realClock,
    network: networkThat(true),
    estimateTokens: (text) => text.length,
  });
  const change = (patch: Partial<EndpointRow> | null) => {
    row = row && patch ? { ...row, ...patch } : null;
  };
  return { models, sessionKeys, change };
}

async function authorizationOf(model: Result<Model>) {
  if (!model.ok) return model.failure.code;
  await model.value.complete(requestFor('q'), { signal: new AbortController().signal });
  return server.requests.at(-1)?.headers.authorization;
}

describe('createModelOpener', () => {
  it('gives the built-in model, and opens a profile under its model’s name', async () => {
    const { models } = opener('none');
    expect(await models.open(BUILT_IN)).toEqual(ok(BUILT_IN_MODEL));
    const opened = await models.open(ID);
    expect(opened).toMatchObject({ ok: true, value: { identity: 'openai/hermes', contextTokens: 4096 } });
    expect(await authorizationOf(opened)).toBeUndefined();
  });

  it('knows from the count of the sample how many tokens the model makes of a text', async () => {
    const { models, change } = opener('none');
    const unknown = await models.open(ID);
    change({ capabilities: { ...NOTHING_FOUND, sampleTokens: COUNTED_SAMPLE.length * 2 } });
    const counted = await models.open(ID);
    expect([unknown.ok && unknown.value.tokenRatio, counted.ok && counted.value.tokenRatio]).toEqual([null, 2]);
  });

  it('says what is missing: the profile, or its key', async () => {
    const { models, change } = opener('session');
    expect(await models.open(ID)).toMatchObject({ ok: false, failure: { code: 'key_unavailable', verdict: 'wait' } });
    expect(await opener('stored').models.open(ID)).toMatchObject({ failure: { code: 'key_unavailable' } });
    const undecipherable = opener('stored', fail(failure('key_unavailable')));
    expect(await undecipherable.models.open(ID)).toMatchObject({ failure: { code: 'key_unavailable' } });
    change(null);
    expect(await models.open(ID)).toMatchObject({ ok: false, failure: { code: 'endpoint_missing' } });
  });

  it('sends the stored key, or the one given for the session, without the spaces around it', async () => {
    expect(await authorizationOf(await opener('stored', ok(' sk-stored\n')).models.open(ID))).toBe('Bearer sk-stored');
    const { models, sessionKeys } = opener('session');
    sessionKeys.set(ID, ' sk-session ');
    expect(await authorizationOf(await models.open(ID))).toBe('Bearer sk-session');
  });

  it('keeps a model while its profile and key stay the same', async () => {
    const { models, sessionKeys, change } = opener('session');
    sessionKeys.set(ID, 'sk-one');
    const first = await models.open(ID);
    expect((await models.open(ID)).ok && (await models.open(ID))).toEqual(first);
    const same = await models.open(ID);
    expect(first.ok && same.ok && first.value === same.value).toBe(true);
    sessionKeys.set(ID, 'sk-two');
    const rekeyed = await models.open(ID);
    expect(first.ok && rekeyed.ok && first.value !== rekeyed.value).toBe(true);
    change({ updatedMs: 2, model: 'other' });
    expect(await models.open(ID)).toMatchObject({ ok: true, value: { identity: 'openai/other' } });
  });

  it('opens a profile anew when its settings change, and keeps what its server taught unless that is another', async () => {
    const { models, change } = opener('none');
    server.script((request) => {
      if (!('stream_options' in request.body)) return null;
      const message = "Unsupported parameter: 'stream_options'";
      return { type: 'json', status: 400, body: { error: { message, type: 'invalid_request_error' } } };
    });
    await authorizationOf(await models.open(ID));
    expect(server.requests).toHaveLength(2);
    const sampling = { temperature: 0.5, topP: null, seed: null };
    change({ updatedMs: 2, settings: { ...DEFAULT_ENDPOINT_SETTINGS, sampling } });
    const shaped = await models.open(ID);
    expect(shaped.ok && shaped.value.identity).not.toBe('openai/hermes');
    await authorizationOf(shaped);
    expect(server.requests.slice(2).map(({ body }) => body.temperature)).toEqual([0.5]);
    change({ updatedMs: 3, model: 'other' });
    await authorizationOf(await models.open(ID));
    expect(server.requests).toHaveLength(5);
  });

  it('keeps the model of a profile that was only looked at again', async () => {
    const { models, change } = opener('none');
    const first = await models.open(ID);
    change({ updatedMs: 9, name: 'Renamed', lastCheck: { atMs: 9, state: 'ready', latencyMs: 1 } });
    const again = await models.open(ID);
    expect(first.ok && again.ok && first.value === again.value).toBe(true);
  });

  it('knows how much the model reads as soon as that was learned, however often it was opened before', async () => {
    const { models, change } = opener('none');
    change({ contextTokens: null });
    expect(await models.open(ID)).toMatchObject({ ok: true, value: { contextTokens: null } });
    change({ contextTokens: 32_768 });
    expect(await models.open(ID)).toMatchObject({ ok: true, value: { contextTokens: 32_768 } });
  });
});
