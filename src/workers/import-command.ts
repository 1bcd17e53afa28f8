import type { AgentApi } from '../lib/bridge/agent-api';
import { folderId, importId } from '../lib/core/ids';
import type { Clock } from '../lib/core/ports';
import { fail, ok, type Result } from '../lib/core/result';
import type { JournaledCheckpointStore } from '../lib/storage/checkpoint-store-journaled';
import { linesOf } from '../lib/storage/file-lines';
import { importedTask, stepCounts, taskExists } from '../lib/storage/import-task';
import { readExport, type ExportedTask } from '../lib/storage/read-export';

interface Parts {
  readonly store: Pick<JournaledCheckpointStore, 'importTask' | 'task'>;
  readonly clock: Clock;
}

export function importCommand({ store, clock }: Parts): Pick<AgentApi, 'lookIntoExport' | 'importTask'> {
  const read = async (file: Blob): Promise<Result<ExportedTask>> => {
    const exported = await readExport(linesOf(file));
    if (!exported.ok) return exported;
    const there = await store.task(exported.value.task.id);
    return there.ok && there.value !== null ? fail(taskExists(exported.value)) : exported;
  };
  return {
    async lookIntoExport(file) {
      const exported = await read(file);
      if (!exported.ok) return exported;
      const { task, steps, model } = exported.value;
      return ok({ name: task.name, counts: stepCounts(steps), endpointId: task.endpointId, model });
    },
    async importTask(file, endpointId) {
      const exported = await read(file);
      if (!exported.ok) return exported;
      const whole = importedTask(exported.value, {
        importId: importId(crypto.randomUUID()),
        folderId: folderId(crypto.randomUUID()),
        endpointId,
        nowMs: clock.now(),
      });
      const put = await store.importTask(whole);
      return put.ok ? ok(whole.task.id) : put;
    },
  };
}
