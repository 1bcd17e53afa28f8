import { afterEach, describe, expect, it } from 'vitest';
import { endpointId } from '../core/ids';
import { sampleEndpoint } from '../testing/sample-rows';
import { codeOf, valueOf } from './checkpoint-store.conformance';
import { IdbProfileStore } from './profile-store-idb';
import { profileStoreConformance } from './profile-store.conformance';
import { closeScratch, scratchConnection, scratchDatabase, scratchName } from './scratch-database';
import { IdbSweepMemory } from './sweep-memory-idb';

afterEach(closeScratch);

describe('profiles in IndexedDB', () => {
  profileStoreConformance(async (vault) => new IdbProfileStore(scratchConnection(), vault));

  const id = endpointId('endpoint-1');

  it('finds a key again after a close, and never stores it in plain', async () => {
    const name = scratchName();
    const first = scratchConnection(name);
    valueOf(await new IdbProfileStore(first).putEndpoint(sampleEndpoint({ key: 'stored' }), 'sk-very-secret'));
    first.close();
    expect(valueOf(await new IdbProfileStore(scratchConnection(name)).endpointKey(id))).toBe('sk-very-secret');

    const database = scratchDatabase(name);
    const [sealed] = await database.keys.toArray();
    expect(sealed?.cipher).toBeInstanceOf(ArrayBuffer);
    expect(new TextDecoder('latin1').decode(sealed?.cipher)).not.toContain('secret');
    expect(JSON.stringify(await database.endpoints.toArray())).not.toContain('secret');
    const [wrapping] = await database.vault.toArray();
    expect(wrapping?.key).toMatchObject({ extractable: false, algorithm: { name: 'AES-GCM', length: 256 } });
  });

  it('agrees on one wrapping key when two tabs store their first keys at once', async () => {
    const name = scratchName();
    const stores = [0, 1, 2].map(() => new IdbProfileStore(scratchConnection(name)));
    await Promise.all(
      stores.map(async (store, n) =>
        valueOf(await store.putEndpoint(sampleEndpoint({ id: endpointId(`e${n}`) }), `sk-${n}`)),
      ),
    );
    const reader = new IdbProfileStore(scratchConnection(name));
    const keys = await Promise.all([0, 1, 2].map(async (n) => valueOf(await reader.endpointKey(endpointId(`e${n}`)))));
    expect(keys).toEqual(['sk-0', 'sk-1', 'sk-2']);
  });

  it('asks for the key again when the wrapping key is gone', async () => {
    const name = scratchName();
    const store = new IdbProfileStore(scratchConnection(name));
    valueOf(await store.putEndpoint(sampleEndpoint(), 'sk-1'));
    await scratchDatabase(name).vault.clear();
    expect(codeOf(await store.endpointKey(id))).toBe('key_unavailable');
    valueOf(await store.putEndpoint(sampleEndpoint(), 'sk-2'));
    expect(valueOf(await store.endpointKey(id))).toBe('sk-2');
  });

  it('leaves a damaged profile out of the list, names it when asked for, and takes nonsense settings for the default', async () => {
    const name = scratchName();
    const store = new IdbProfileStore(scratchConnection(name));
    valueOf(await store.putEndpoint(sampleEndpoint()));
    const database = scratchDatabase(name);
    await database.table('endpoints').put({ id: 'bad', v: 1, name: 3 });
    await database.table('settings').put({ name: 'retentionDays', value: 'soon' });
    expect(valueOf(await store.endpoints())).toEqual([sampleEndpoint()]);
    expect(codeOf(await store.endpoint(endpointId('bad')))).toBe('row_unreadable');
    expect(valueOf(await store.settings())).toEqual({ retentionDays: 30 });
  });

  it('remembers the last sweep, and nothing when the note is damaged', async () => {
    const name = scratchName();
    const memory = new IdbSweepMemory(scratchConnection(name));
    expect(valueOf(await memory.note())).toBeNull();
    valueOf(await memory.putNote({ lastMs: 5, heldUntilMs: 9 }));
    expect(valueOf(await memory.note())).toEqual({ lastMs: 5, heldUntilMs: 9 });
    await scratchDatabase(name)
      .table('settings')
      .put({ name: 'retentionSweep', value: { lastMs: 'x' } });
    expect(valueOf(await memory.note())).toBeNull();
  });
});
