import { describe } from 'vitest';
import { checkpointStoreConformance } from './checkpoint-store.conformance';
import { MemoryCheckpointStore } from './checkpoint-store-memory';
import { freeConformance } from './free.conformance';
import { pastConformance } from './past.conformance';

describe('checkpoints in memory', () => {
  checkpointStoreConformance(async () => new MemoryCheckpointStore());
  pastConformance(async () => new MemoryCheckpointStore(), 200);
  freeConformance(async () => new MemoryCheckpointStore());
});
