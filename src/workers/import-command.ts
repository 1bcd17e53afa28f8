import type { AgentApi } from '../lib/bridge/agent-api';
import { BUILT_IN, folderId, importId } from '../lib/core/ids';
import type { Clock, ProfileStore } from '../lib/core/ports';
import { ok } from '../lib/core/result';
import type { JournaledCheckpointStore } from '../lib/storage/checkpoint-store-journaled';
import { importedTask } from '../lib/storage/import-task';
import { linesOf } from '../lib/storage/file-lines';
import { readExport } from '../lib/storage/read-export';

interface Parts {
  readonly store: Pick<JournaledCheckpointStore, 'importTask'>;
  readonly profiles: Pick<ProfileStore, 'endpoint'>;
  readonly clock: Clock;
}

export function importCommand({ store, profiles, clock }: Parts): Pick<AgentApi, 'importTask'> {
  return {
    async importTask(file, endpointId) {
      const read = await readExport(linesOf(file));
      if (!read.ok) return read;
      const asked = read.value.task.endpointId;
      const known = await profiles.endpoint(asked);
      if (!known.ok) return known;
      const isHere = asked === BUILT_IN || known.value !== null;
      const whole = importedTask(read.value, {
        importId: importId(crypto.randomUUID()),
        folderId: folderId(crypto.randomUUID()),
        endpointId: isHere ? null : endpointId,
        nowMs: clock.now(),
      });
      const put = await store.importTask(whole);
      return put.ok ? ok(whole.task.id) : put;
    },
  };
}
