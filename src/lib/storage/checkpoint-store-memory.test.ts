import { describe } from 'vitest';
import { checkpointStoreConformance } from './checkpoint-store.conformance';
import { MemoryCheckpointStore } from './checkpoint-store-memory';

describe('checkpoints in memory', () => {
  checkpointStoreConformance(async () => new MemoryCheckpointStore());
});
