import { afterEach, describe, expect, it, vi } from 'vitest';
import { endpointId, folderId } from '../core/ids';
import { sampleEndpoint, sampleFolder, sampleTask } from '../testing/sample-rows';
import { valueOf } from './checkpoint-store.conformance';
import { bucketFactory, Copies } from './copies';
import { CopiedProfileStore } from './profile-store-copied';
import { IdbProfileStore } from './profile-store-idb';
import { DATABASE_NAME } from './database';
import { closeScratch, deleteDatabase, scratchConnection, scratchDatabase, scratchName } from './scratch-database';

const BUCKET = 'talaria-test-copies';
const opened: Copies[] = [];

/** The profiles over a database and its copy, as one worker has them. */
function profilesOn(name: string, factory = () => bucketFactory(BUCKET)): CopiedProfileStore {
  const connection = scratchConnection(name);
  const copies = new Copies(connection, factory);
  opened.push(copies);
  return new CopiedProfileStore(new IdbProfileStore(connection), copies);
}

async function lose(name: string): Promise<void> {
  for (const copies of opened.splice(0)) await copies.close();
  await closeScratch();
  await deleteDatabase(name);
}

/** The copy's database is full, or worse; the one that it is a copy of has another name. */
function refuseInCopy(method: 'put' | 'delete' | 'clear') {
  const real: unknown = Reflect.get(IDBObjectStore.prototype, method);
  return vi.spyOn(IDBObjectStore.prototype, method).mockImplementation(function (
    this: IDBObjectStore,
    ...given: unknown[]
  ) {
    if (this.transaction.db.name === DATABASE_NAME) throw new DOMException('full', 'QuotaExceededError');
    return Reflect.apply(real as () => never, this, given as []);
  });
}

afterEach(async () => {
  for (const copies of opened.splice(0)) await copies.close();
  await closeScratch();
  const { storageBuckets } = navigator as unknown as { storageBuckets: { delete(name: string): Promise<void> } };
  await storageBuckets.delete(BUCKET);
});

describe('the second copy', () => {
  it('gives back endpoints with their keys, and settings, after the database is lost', async () => {
    const name = scratchName();
    const profiles = profilesOn(name);
    const endpoint = sampleEndpoint({ key: 'stored' });
    valueOf(await profiles.putEndpoint(endpoint, 'sk-TEST-123456'));
    valueOf(await profiles.putSettings({ retentionDays: 7 }));
    await lose(name);
    const again = profilesOn(name);
    expect(valueOf(await again.endpoints())).toEqual([endpoint]);
    expect(valueOf(await again.endpointKey(endpoint.id))).toBe('sk-TEST-123456');
    expect(valueOf(await again.settings())).toEqual({ retentionDays: 7 });
  });

  it('gives back a folder with its handle', async () => {
    const name = scratchName();
    const handle = await navigator.storage.getDirectory();
    const connection = scratchConnection(name);
    const copies = new Copies(connection, () => bucketFactory(BUCKET));
    opened.push(copies);
    valueOf(await copies.inOrder());
    await scratchDatabase(name).folders.put(sampleFolder({ kind: 'handle', handle }));
    await copies.refill();
    await lose(name);
    await profilesOn(name).settings();
    const found = (await scratchDatabase(name).folders.get(folderId('folder-1'))) as { handle: FileSystemHandle };
    expect(await found.handle.isSameEntry(handle)).toBe(true);
  });

  it('brings nothing back that was deleted', async () => {
    const name = scratchName();
    const profiles = profilesOn(name);
    const endpoint = sampleEndpoint();
    valueOf(await profiles.putEndpoint(endpoint));
    valueOf(await profiles.removeEndpoint(endpoint.id));
    await lose(name);
    expect(valueOf(await profilesOn(name).endpoints())).toEqual([]);
  });

  it.each([
    ['there is no room for the rest', ['put'], false],
    ['it takes nothing at all, by the next start', ['put', 'delete', 'clear'], true],
  ] as const)('does not keep the key of an endpoint that was deleted, also when %s', async (_, refused, isStarted) => {
    const name = scratchName();
    const profiles = profilesOn(name);
    const endpoint = sampleEndpoint({ key: 'stored' });
    valueOf(await profiles.putEndpoint(sampleEndpoint({ id: endpointId('endpoint-2') })));
    valueOf(await profiles.putEndpoint(endpoint, 'sk-TEST-123456'));
    const spies = refused.map((method) => refuseInCopy(method));
    valueOf(await profiles.removeEndpoint(endpoint.id));
    for (const spy of spies) spy.mockRestore();
    if (isStarted) await profilesOn(name).settings();
    await lose(name);
    const again = profilesOn(name);
    expect(valueOf(await again.endpoints()).map(({ id }) => id)).toEqual(['endpoint-2']);
    expect(valueOf(await again.endpointKey(endpoint.id))).toBeNull();
  });

  it('does not replace what a database in use says', async () => {
    const name = scratchName();
    valueOf(await profilesOn(name).putEndpoint(sampleEndpoint({ name: 'Old' })));
    await scratchDatabase(name).endpoints.put(sampleEndpoint({ name: 'New' }));
    expect(valueOf(await profilesOn(name).endpoints()).map((row) => row.name)).toEqual(['New']);
    await lose(name);
    expect(valueOf(await profilesOn(name).endpoints()).map((row) => row.name)).toEqual(['New']);
  });

  it('fills itself from a database that is older than the copy', async () => {
    const name = scratchName();
    await scratchDatabase(name).endpoints.put(sampleEndpoint());
    expect(valueOf(await profilesOn(name).endpoints())).toHaveLength(1);
    await lose(name);
    expect(valueOf(await profilesOn(name).endpoints())).toHaveLength(1);
  });

  it.each([
    ['has no buckets', () => Promise.resolve(null)],
    ['refuses them', () => Promise.reject(new DOMException('no', 'SecurityError'))],
  ])('a browser that %s works without', async (_, factory) => {
    const profiles = profilesOn(scratchName(), factory);
    valueOf(await profiles.putEndpoint(sampleEndpoint()));
    expect(valueOf(await profiles.endpoints())).toHaveLength(1);
  });

  it('that cannot be reached in the moment the database is lost is neither missed nor written over', async () => {
    const name = scratchName();
    valueOf(await profilesOn(name).putEndpoint(sampleEndpoint()));
    await lose(name);
    const profiles = profilesOn(name, () => Promise.reject(new DOMException('busy', 'UnknownError')));
    expect(valueOf(await profiles.endpoints())).toEqual([]);
    expect(valueOf(await profilesOn(name).endpoints())).toHaveLength(1);
  });

  it('is not touched by tasks', async () => {
    const name = scratchName();
    await scratchDatabase(name).tasks.put(sampleTask());
    await profilesOn(name).settings();
    await lose(name);
    await profilesOn(name).settings();
    expect(await scratchDatabase(name).tasks.count()).toBe(0);
  });
});
