import type { AgentApi, DoctorReport, EndpointDraft } from '../lib/bridge/agent-api';
import { repairBaseUrl } from '../lib/core/base-url';
import type { Capabilities } from '../lib/core/capabilities';
import type { EndpointFound } from '../lib/core/endpoint';
import { DEFAULT_ENDPOINT_SETTINGS } from '../lib/core/endpoint-settings';
import { failure } from '../lib/core/failure';
import { endpointId } from '../lib/core/ids';
import type { CheckpointStore, Clock, Network, ProfileStore } from '../lib/core/ports';
import { fail, ok } from '../lib/core/result';
import { isFinished } from '../lib/core/task';
import type { Breakers } from '../lib/engine/breaker';
import { testEndpoint } from '../lib/llm/doctor';
import { listModels } from '../lib/llm/list-models';
import type { SessionKeys } from '../lib/llm/session-keys';
import { queryLocalNetwork } from '../lib/platform/local-network';
import { keyFor, profileRow } from './endpoint-drafts';
import type { EndpointLearning } from './endpoint-learning';

interface EndpointCommandsOptions {
  readonly store: CheckpointStore;
  readonly profiles: ProfileStore;
  readonly sessionKeys: SessionKeys;
  readonly clock: Clock;
  readonly network: Network;
  readonly breakers: Breakers;
  readonly learning: EndpointLearning;
  /** Called when a profile or its key has changed: tasks here and in other tabs may be using it. */
  readonly onChanged: () => void;
}

type EndpointCommands = Pick<
  AgentApi,
  'saveEndpoint' | 'duplicateEndpoint' | 'deleteEndpoint' | 'giveSessionKey' | 'listModels' | 'testEndpoint'
>;

/** What the person can do with endpoint profiles. */
export function endpointCommands(options: EndpointCommandsOptions): EndpointCommands {
  const { store, profiles, sessionKeys, clock, network, breakers, learning, onChanged } = options;
  const context = () => ({ clock, network, signal: new AbortController().signal });
  /** Of a draft that may be saved next: with another key, or in another profile, it says nothing. */
  let tested: { readonly of: Pick<EndpointDraft, 'id' | 'key'>; readonly found: Omit<EndpointFound, 'id'> } | null =
    null;
  return {
    async saveEndpoint(draft) {
      const drafted = await profileRow(options, draft);
      if (!drafted.ok) return drafted;
      const { row, key } = drafted.value;
      const { id } = row;
      if (row.key === 'session' && key) sessionKeys.typed(id, key, clock.now());
      const storedKey = key === undefined ? undefined : row.key === 'stored' ? key : null;
      const put = await profiles.putEndpoint(row, storedKey);
      if (!put.ok) return put;
      if (row.key !== 'session') sessionKeys.forget(id);
      breakers.of(id).forget();
      if (tested?.of.id === draft.id && tested.of.key === draft.key)
        await profiles.noteEndpoint({ id, ...tested.found });
      tested = null;
      onChanged();
      const saved = await profiles.endpoint(id);
      if (saved.ok && saved.value && !saved.value.capabilities) await learning.learn(saved.value, LEARNING_LIMIT_MS);
      return ok(id);
    },
    async duplicateEndpoint(id, name) {
      const found = await profiles.endpoint(id);
      if (!found.ok) return found;
      if (found.value === null) return fail(failure('endpoint_missing', { details: { endpoint: id } }));
      const key = await profiles.endpointKey(id);
      if (!key.ok) return key;
      const nowMs = clock.now();
      const copy = { ...found.value, id: endpointId(crypto.randomUUID()), name, createdMs: nowMs, updatedMs: nowMs };
      const sessionKey = sessionKeys.get(id);
      if (copy.key === 'session' && sessionKey !== undefined) sessionKeys.typed(copy.id, sessionKey, nowMs);
      const put = await profiles.putEndpoint(copy, copy.key === 'stored' ? key.value : null);
      return put.ok ? ok(copy.id) : put;
    },
    async deleteEndpoint(id) {
      const tasks = await store.tasks();
      if (!tasks.ok) return tasks;
      const user = tasks.value.find((task) => task.endpointId === id && !isFinished(task.status));
      if (user)
        return fail(failure('request_rejected', { message: 'in use', details: { task: user.name, id: user.id } }));
      sessionKeys.forget(id);
      return profiles.removeEndpoint(id);
    },
    giveSessionKey(id, key) {
      sessionKeys.remembered(id, key);
      onChanged();
      return Promise.resolve();
    },
    async listModels(draft) {
      const key = await keyFor(options, draft);
      if (!key.ok) return key;
      const url = repairBaseUrl(draft.baseUrl);
      if (!url.ok) return url;
      const { headers } = draft.settings ?? DEFAULT_ENDPOINT_SETTINGS;
      return listModels({ ...context(), baseUrl: url.value.url, key: key.value, headers });
    },
    async testEndpoint(draft, onProbe) {
      const key = await keyFor(options, draft);
      const { baseUrl, model, settings } = draft;
      const asked = { baseUrl, model, key: key.ok ? key.value : null, ...(settings ? { settings } : {}) };
      const isBusy = await isUsed(options, draft);
      const before = await foundBefore(options, draft);
      const permission = queryLocalNetwork;
      const keyFailure = key.ok ? null : key.failure;
      const report = await testEndpoint({ ...context(), ...asked, keyFailure, before, isBusy, permission, onProbe });
      const found = foundBy(report, draft, clock.now());
      tested = { of: { id: draft.id, key: draft.key }, found };
      // What another key than the kept one comes to is that key's alone.
      if (draft.id !== null && draft.key === undefined) await profiles.noteEndpoint({ id: draft.id, ...found });
      return report;
    },
  };
}

/** A task that is started with the profile waits for that. */
const LEARNING_LIMIT_MS = 2_000;

/** What a test found, to be kept with the profile of that address and that model. */
function foundBy(report: DoctorReport, { model }: EndpointDraft, atMs: number): Omit<EndpointFound, 'id'> {
  const wanted = model.trim();
  const listed = report.models.find((each) => each.id === wanted)?.contextTokens ?? null;
  const { capabilities, baseUrl } = report;
  return {
    baseUrl,
    model: wanted,
    contextTokens: capabilities?.contextTokens ?? listed,
    check: { atMs, state: report.state, latencyMs: report.firstTokenMs },
    ...(capabilities ? { capabilities } : {}),
  };
}

/** What is known of the server of a saved profile, while it has that address and that model. */
async function foundBefore({ profiles }: EndpointCommandsOptions, draft: EndpointDraft): Promise<Capabilities | null> {
  const url = repairBaseUrl(draft.baseUrl);
  const row = draft.id === null ? null : await profiles.endpoint(draft.id);
  if (!url.ok || !row?.ok || row.value === null) return null;
  const isSame = row.value.baseUrl === url.value.url && row.value.model === draft.model.trim();
  return (isSame && row.value.capabilities) || null;
}

/** Whether a task is at work on that server, under this profile or another. */
async function isUsed({ store, profiles }: EndpointCommandsOptions, draft: EndpointDraft): Promise<boolean> {
  const url = repairBaseUrl(draft.baseUrl);
  const [tasks, rows] = await Promise.all([store.tasks(), profiles.endpoints()]);
  if (!url.ok || !tasks.ok || !rows.ok) return false;
  const same = rows.value.filter(({ baseUrl }) => baseUrl === url.value.url).map(({ id }) => id);
  return tasks.value.some((task) => task.status === 'running' && same.includes(task.endpointId));
}
