import { expect, it } from 'vitest';
import { endpointId } from '../core/ids';
import { FakeClock } from '../testing/fake-clock';
import { FakeTabs } from '../testing/fake-tabs';
import { sampleCommit, sampleEndpoint, sampleFolder, sampleTask } from '../testing/sample-rows';
import { codeOf } from './checkpoint-store.conformance';
import { openStorage } from './open-storage';

it('IDB-08: without IndexedDB every store says so, and nothing throws', async () => {
  expect(globalThis.indexedDB).toBeUndefined();
  const { checkpoints, profiles, sweepMemory, close } = openStorage({
    locks: new FakeTabs().open().locks,
    clock: new FakeClock(),
    opfsRoot: () => Promise.reject(new DOMException('not here', 'SecurityError')),
  });
  const task = sampleTask();
  const outcomes = [
    await checkpoints.tasks(),
    await checkpoints.createTask(task, sampleFolder()),
    await checkpoints.own(task.id, 1),
    await checkpoints.commit(sampleCommit(task)),
    await checkpoints.removeTask(task.id),
    await profiles.endpoints(),
    await profiles.putEndpoint(sampleEndpoint(), 'sk-1'),
    await profiles.endpointKey(endpointId('endpoint-1')),
    await profiles.settings(),
    await sweepMemory.note(),
  ];
  expect(new Set(outcomes.map(codeOf))).toEqual(new Set(['storage_unavailable']));
  close();
  expect(codeOf(await checkpoints.tasks())).toBe('storage_closed');
});
