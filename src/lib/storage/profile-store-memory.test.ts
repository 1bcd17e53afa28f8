import { describe } from 'vitest';
import { MemoryProfileStore } from './profile-store-memory';
import { profileStoreConformance } from './profile-store.conformance';

describe('profiles in memory', () => {
  profileStoreConformance(async (vault) => new MemoryProfileStore(vault));
});
