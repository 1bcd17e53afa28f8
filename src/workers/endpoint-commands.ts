import type { AgentApi, EndpointDraft } from '../lib/bridge/agent-api';
import { repairBaseUrl } from '../lib/core/base-url';
import type { EndpointRow } from '../lib/core/endpoint';
import { failure } from '../lib/core/failure';
import { endpointId, type EndpointId } from '../lib/core/ids';
import type { CheckpointStore, Clock, Network, ProfileStore } from '../lib/core/ports';
import { fail, ok, type Result } from '../lib/core/result';
import { isFinished } from '../lib/core/task';
import type { Breakers } from '../lib/engine/breaker';
import { testEndpoint } from '../lib/llm/doctor';
import { listModels } from '../lib/llm/list-models';
import { resolveKey } from '../lib/llm/model-opener';
import type { SessionKeys } from '../lib/llm/session-keys';

interface EndpointCommandsOptions {
  readonly store: CheckpointStore;
  readonly profiles: ProfileStore;
  readonly sessionKeys: SessionKeys;
  readonly clock: Clock;
  readonly network: Network;
  readonly breakers: Breakers;
  /** Called when a profile or its key has changed: tasks here and in other tabs may be using it. */
  readonly onChanged: () => void;
}

type EndpointCommands = Pick<
  AgentApi,
  'saveEndpoint' | 'deleteEndpoint' | 'giveSessionKey' | 'listModels' | 'testEndpoint'
>;

/** What the person can do with endpoint profiles. */
export function endpointCommands(options: EndpointCommandsOptions): EndpointCommands {
  const { store, profiles, sessionKeys, clock, network, breakers, onChanged } = options;
  const context = () => ({ clock, network, signal: new AbortController().signal });
  return {
    async saveEndpoint(draft) {
      const row = await profileRow(options, draft);
      if (!row.ok) return row;
      const { id, key } = row.value;
      if (key === 'session' && draft.key) sessionKeys.typed(id, draft.key, clock.now());
      const storedKey = draft.key === undefined ? undefined : key === 'stored' ? draft.key : null;
      const put = await profiles.putEndpoint(row.value, storedKey);
      if (!put.ok) return put;
      breakers.of(id).forget();
      onChanged();
      if (row.value.contextTokens === null && (await learnContext(options, id))) onChanged();
      return ok(id);
    },
    async deleteEndpoint(id) {
      const tasks = await store.tasks();
      if (!tasks.ok) return tasks;
      const user = tasks.value.find((task) => task.endpointId === id && !isFinished(task.status));
      if (user) return fail(failure('request_rejected', { message: 'in use', details: { task: user.name } }));
      sessionKeys.forget(id);
      return profiles.removeEndpoint(id);
    },
    giveSessionKey(id, key) {
      sessionKeys.remembered(id, key);
      onChanged();
      return Promise.resolve();
    },
    async listModels(draft) {
      const key = await keyOf(options, draft);
      if (!key.ok) return key;
      const url = repairBaseUrl(draft.baseUrl);
      if (!url.ok) return url;
      return listModels({ ...context(), baseUrl: url.value.url, key: key.value });
    },
    async testEndpoint(draft, onProbe) {
      const key = await keyOf(options, draft);
      const { baseUrl, model } = draft;
      const report = await testEndpoint({ ...context(), baseUrl, model, key: key.ok ? key.value : null, onProbe });
      await remember(options, draft, report);
      return report;
    },
  };
}

const LISTING_LIMIT_MS = 2_000;

/** What the server tells of the model's context, where it answers at once: texts are split by it. False when nothing is learned. */
async function learnContext(options: EndpointCommandsOptions, id: EndpointId): Promise<boolean> {
  const { profiles, clock, network } = options;
  const row = await profiles.endpoint(id);
  const key = row.ok && row.value ? await resolveKey(row.value, options) : null;
  if (!row.ok || !row.value || !key?.ok) return false;
  const limit = new AbortController();
  const { baseUrl, model } = row.value;
  const listing = listModels({ clock, network, signal: limit.signal, baseUrl, key: key.value }).catch(() => null);
  const listed = await Promise.race([listing, clock.sleep(LISTING_LIMIT_MS, limit.signal).then(() => null)]);
  limit.abort();
  const contextTokens = listed?.ok ? listed.value.find((each) => each.id === model)?.contextTokens : null;
  if (!contextTokens) return false;
  // The person may have changed it meanwhile, or deleted it.
  await profiles.noteEndpoint({ id, baseUrl, model, contextTokens });
  return true;
}

async function profileRow(options: EndpointCommandsOptions, draft: EndpointDraft): Promise<Result<EndpointRow>> {
  const url = repairBaseUrl(draft.baseUrl);
  if (!url.ok) return url;
  const known = draft.id ? await options.profiles.endpoint(draft.id) : ok(null);
  if (!known.ok) return known;
  const nowMs = options.clock.now();
  const before = known.value;
  const key = draft.key === undefined ? (before?.key ?? 'none') : draft.key === '' ? 'none' : draft.keepKey;
  const kept = before?.baseUrl === url.value.url && before.model === draft.model.trim() ? before : null;
  return ok({
    v: 1,
    id: draft.id ?? endpointId(crypto.randomUUID()),
    name: draft.name.trim() === '' ? new URL(url.value.url).host : draft.name.trim(),
    baseUrl: url.value.url,
    model: draft.model.trim(),
    key,
    contextTokens: kept?.contextTokens ?? null,
    createdMs: before?.createdMs ?? nowMs,
    updatedMs: nowMs,
    lastCheck: kept?.lastCheck ?? null,
  });
}

/** The key as typed; of a saved profile whose key was not touched, the one that is kept. */
async function keyOf(options: EndpointCommandsOptions, draft: EndpointDraft): Promise<Result<string | null>> {
  if (draft.key !== undefined) return ok(draft.key === '' ? null : draft.key);
  if (!draft.id) return ok(null);
  const row = await options.profiles.endpoint(draft.id);
  if (!row.ok) return row;
  return row.value ? resolveKey(row.value, options) : ok(null);
}

/** A test of what is saved is kept with the profile, with what it found of the model's context. */
async function remember(
  options: EndpointCommandsOptions,
  draft: EndpointDraft,
  report: Awaited<ReturnType<AgentApi['testEndpoint']>>,
): Promise<void> {
  const { id, model } = draft;
  if (id === null) return;
  const contextTokens = report.models.find((listed) => listed.id === model)?.contextTokens ?? null;
  const check = { atMs: options.clock.now(), state: report.state, latencyMs: report.firstTokenMs };
  await options.profiles.noteEndpoint({ id, baseUrl: report.baseUrl, model, contextTokens, check });
}
