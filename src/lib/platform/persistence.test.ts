import { expect, test } from 'vitest';
import { askToPersist, isPersisted, storageUse } from './persistence';

const storage = (methods: Partial<StorageManager>) => methods as StorageManager;
const refuse = () => Promise.reject(new TypeError('not here'));

test('passes on what the browser says', async () => {
  const willing = storage({
    persisted: async () => true,
    persist: async () => true,
    estimate: async () => ({ usage: 12, quota: 100 }),
  });
  expect(await isPersisted(willing)).toBe(true);
  expect(await askToPersist(willing)).toBe(true);
  expect(await storageUse(willing)).toEqual({ usedBytes: 12, quotaBytes: 100 });
});

test.each([
  ['has no storage manager', undefined],
  ['has an old one', storage({})],
  ['refuses', storage({ persisted: refuse, persist: refuse, estimate: refuse })],
])('a browser that %s leaves it unknown and crashes nothing', async (_what, given) => {
  expect(await isPersisted(given)).toBeNull();
  expect(await askToPersist(given)).toBe(false);
  expect(await storageUse(given)).toBeNull();
});
