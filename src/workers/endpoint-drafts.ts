import type { EndpointDraft } from '../lib/bridge/agent-api';
import { repairBaseUrl } from '../lib/core/base-url';
import { checkedSettings } from '../lib/core/checked-settings';
import { keyMayGoTo, type EndpointRow } from '../lib/core/endpoint';
import { endpointId } from '../lib/core/ids';
import type { Clock, ProfileStore } from '../lib/core/ports';
import { ok, type Result } from '../lib/core/result';
import { resolveKey } from '../lib/llm/model-opener';
import type { SessionKeys } from '../lib/llm/session-keys';

interface Drafting {
  readonly profiles: ProfileStore;
  readonly sessionKeys: SessionKeys;
  readonly clock: Clock;
}

export interface DraftedProfile {
  readonly row: EndpointRow;
  /** Undefined: the kept one stays. Empty: there is none any more. */
  readonly key: string | undefined;
}

/** The profile that a draft makes. A kept key goes nowhere but to origins that it was given for. Failure: `url_invalid`. */
export async function profileRow(options: Drafting, draft: EndpointDraft): Promise<Result<DraftedProfile>> {
  const repaired = repairBaseUrl(draft.baseUrl);
  if (!repaired.ok) return repaired;
  const known = draft.id ? await options.profiles.endpoint(draft.id) : ok(null);
  if (!known.ok) return known;
  const before = known.value;
  const { url } = repaired.value;
  const nowMs = options.clock.now();
  const settings = draft.settings ? checkedSettings(draft.settings) : before?.settings;
  const key = draft.key ?? (before && !keyMayGoTo(before, url) ? '' : undefined);
  const kept = before?.baseUrl === url && before.model === draft.model.trim() ? before : null;
  const row: EndpointRow = {
    v: 1,
    id: draft.id ?? endpointId(crypto.randomUUID()),
    name: draft.name.trim() === '' ? new URL(url).host : draft.name.trim(),
    baseUrl: url,
    model: draft.model.trim(),
    key: key === undefined ? (before?.key ?? 'none') : key === '' ? 'none' : draft.keepKey,
    contextTokens: kept?.contextTokens ?? null,
    createdMs: before?.createdMs ?? nowMs,
    updatedMs: nowMs,
    lastCheck: draft.key === undefined ? (kept?.lastCheck ?? null) : null,
    ...(settings ? { settings } : {}),
    ...(kept?.capabilities ? { capabilities: kept.capabilities } : {}),
  };
  return ok({ row, key });
}

/** The key as typed; of a saved profile whose key was not touched the one that is kept, for the origins it was given for. */
export async function keyFor(options: Drafting, draft: EndpointDraft): Promise<Result<string | null>> {
  if (draft.key !== undefined) return ok(draft.key === '' ? null : draft.key);
  if (!draft.id) return ok(null);
  const row = await options.profiles.endpoint(draft.id);
  if (!row.ok) return row;
  const url = repairBaseUrl(draft.baseUrl);
  if (!row.value || !url.ok || !keyMayGoTo(row.value, url.value.url)) return ok(null);
  return resolveKey(row.value, options);
}
