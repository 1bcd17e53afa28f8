/** What every profile store must do. Run by the test of each store. */
import { expect, it } from 'vitest';
import { endpointId } from '../core/ids';
import type { EndpointLearned } from '../core/learned';
import { DEFAULT_SETTINGS, type ProfileStore } from '../core/ports';
import { sampleEndpoint } from '../testing/sample-rows';
import { codeOf, valueOf } from './checkpoint-store.conformance';
import { KeyVault, type WrappingKeys } from './key-vault';

export interface ProfileStoreFactory {
  (vault?: KeyVault): Promise<ProfileStore>;
}

/** Wrapping keys that must never be asked: the vault has no WebCrypto. */
const noKeys: WrappingKeys = {
  get: () => Promise.reject(new Error('asked')),
  keep: () => Promise.reject(new Error('asked')),
};

export function profileStoreConformance(create: ProfileStoreFactory): void {
  const id = endpointId('endpoint-1');

  it('keeps endpoints as they were given, oldest first', async () => {
    const store = await create();
    const first = sampleEndpoint({ id: endpointId('z'), name: '本地 模型', createdMs: 1 });
    const second = sampleEndpoint({ id: endpointId('a'), createdMs: 2 });
    valueOf(await store.putEndpoint(second));
    valueOf(await store.putEndpoint(first));
    expect(valueOf(await store.endpoints())).toEqual([first, second]);
    expect(valueOf(await store.endpoint(second.id))).toEqual(second);
    expect(valueOf(await store.endpoint(id))).toBeNull();
  });

  it('keeps what is known of an endpoint that does not answer, until it does or is deleted', async () => {
    const store = await create();
    const breaker = { v: 1, id, failures: 3, code: 'endpoint_unreachable', sinceMs: 1, nextLookMs: 9 } as const;
    expect(valueOf(await store.breaker(id))).toBeNull();
    valueOf(await store.putBreaker(breaker));
    expect(valueOf(await store.breaker(id))).toEqual(breaker);
    valueOf(await store.removeBreaker(id));
    expect(valueOf(await store.breaker(id))).toBeNull();
    valueOf(await store.putEndpoint(sampleEndpoint()));
    valueOf(await store.putBreaker(breaker));
    valueOf(await store.removeEndpoint(id));
    expect(valueOf(await store.breaker(id))).toBeNull();
  });

  it('keeps what was found of an endpoint, unless that is another by now, or gone', async () => {
    const store = await create();
    const row = sampleEndpoint({ contextTokens: null });
    const { baseUrl, model } = row;
    const check = { atMs: 7, state: 'ready', latencyMs: 5 };
    valueOf(await store.noteEndpoint({ id, baseUrl, model, contextTokens: 4_096, check }));
    expect(valueOf(await store.endpoint(id))).toBeNull();
    valueOf(await store.putEndpoint(row, 'sk-1'));
    valueOf(await store.noteEndpoint({ id, baseUrl, model, contextTokens: 4_096 }));
    valueOf(await store.noteEndpoint({ id, baseUrl, model, contextTokens: null, check }));
    const known = { ...row, contextTokens: 4_096, lastCheck: check, updatedMs: 7 };
    expect(valueOf(await store.endpoint(id))).toEqual(known);
    valueOf(await store.noteEndpoint({ id, baseUrl, model: 'another', contextTokens: 1 }));
    valueOf(await store.noteEndpoint({ id, baseUrl: 'http://127.0.0.1:1/v1', model, contextTokens: 1 }));
    expect(valueOf(await store.endpoint(id))).toEqual(known);
    expect(valueOf(await store.endpointKey(id))).toBe('sk-1');
  });

  it('keeps a key until it is replaced or deleted', async () => {
    const store = await create();
    const row = sampleEndpoint({ key: 'stored' });
    expect(valueOf(await store.endpointKey(id))).toBeNull();
    valueOf(await store.putEndpoint(row, 'sk-1'));
    expect(valueOf(await store.endpointKey(id))).toBe('sk-1');
    valueOf(await store.putEndpoint({ ...row, name: 'renamed' }));
    expect(valueOf(await store.endpointKey(id))).toBe('sk-1');
    valueOf(await store.putEndpoint(row, 'sk-二'));
    expect(valueOf(await store.endpointKey(id))).toBe('sk-二');
    valueOf(await store.putEndpoint({ ...row, key: 'none' }, null));
    expect(valueOf(await store.endpointKey(id))).toBeNull();
    expect(valueOf(await store.endpoint(id))?.key).toBe('none');
  });

  it('deletes an endpoint with its key, and no other', async () => {
    const store = await create();
    const other = endpointId('endpoint-2');
    valueOf(await store.putEndpoint(sampleEndpoint(), 'sk-1'));
    valueOf(await store.putEndpoint(sampleEndpoint({ id: other }), 'sk-2'));
    valueOf(await store.removeEndpoint(id));
    expect(valueOf(await store.endpoints()).map((row) => row.id)).toEqual([other]);
    expect(valueOf(await store.endpointKey(id))).toBeNull();
    expect(valueOf(await store.endpointKey(other))).toBe('sk-2');
  });

  it('writes neither profile nor key where a key cannot be encrypted', async () => {
    const store = await create(new KeyVault(noKeys, {}));
    expect(codeOf(await store.putEndpoint(sampleEndpoint({ key: 'stored' }), 'sk-1'))).toBe('key_unavailable');
    expect(valueOf(await store.endpoints())).toEqual([]);
    expect(codeOf(await store.putEndpoint(sampleEndpoint()))).toBe('ok');
    expect(valueOf(await store.endpointKey(id))).toBeNull();
  });

  it('keeps what was learned of an endpoint for as long as the endpoint is there', async () => {
    const store = await create();
    const learned: EndpointLearned = {
      id,
      baseUrl: 'http://127.0.0.1:8000/v1',
      rates: { requests: { level: -1, wallMs: 5 }, tokens: null },
      ratios: { hermes: [1.1, 1.2] },
    };
    expect(valueOf(await store.learned(learned.id))).toBeNull();
    await store.putLearned(learned);
    expect(valueOf(await store.learned(learned.id))).toBeNull();
    await store.putEndpoint(sampleEndpoint({ id }));
    await store.putLearned(learned);
    expect(valueOf(await store.learned(learned.id))).toEqual(learned);
    expect(valueOf(await store.learned(endpointId('other')))).toBeNull();
    await store.removeEndpoint(learned.id);
    expect(valueOf(await store.learned(learned.id))).toBeNull();
  });

  it('starts with the default settings and changes what is given', async () => {
    const store = await create();
    expect(valueOf(await store.settings())).toEqual(DEFAULT_SETTINGS);
    valueOf(await store.putSettings({ retentionDays: 0 }));
    valueOf(await store.putSettings({}));
    expect(valueOf(await store.settings())).toEqual({ retentionDays: 0 });
  });

  it('hands out copies', async () => {
    const store = await create();
    valueOf(await store.putEndpoint(sampleEndpoint()));
    Object.assign(valueOf(await store.endpoint(id)) ?? {}, { name: 'changed' });
    expect(valueOf(await store.endpoint(id))?.name).toBe('Local Hermes');
  });
}
