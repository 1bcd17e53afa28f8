import type { Capabilities } from './capabilities';
import { DEFAULT_ENDPOINT_SETTINGS, type EndpointSettings } from './endpoint-settings';
import type { EndpointId } from './ids';

export const DEFAULT_BASE_URL = 'http://127.0.0.1:8000/v1';
export const DEFAULT_MODEL = 'NousResearch/Hermes-3-Llama-3.1-8B';

/**
 * A model server profile. The key itself is never in this row: `key` says where it is. `stored` keys live encrypted
 * beside it, `session` keys only in the tabs that are open.
 */
export interface EndpointRow {
  readonly v: 1;
  readonly id: EndpointId;
  readonly name: string;
  readonly baseUrl: string;
  readonly model: string;
  readonly key: 'none' | 'stored' | 'session';
  /** Tokens a request may hold; null until found or set. */
  readonly contextTokens: number | null;
  readonly createdMs: number;
  readonly updatedMs: number;
  readonly lastCheck: EndpointCheck | null;
  /** Absent: nothing was set. */
  readonly settings?: EndpointSettings;
  /** Absent: not found out yet, for this address and this model. */
  readonly capabilities?: Capabilities;
}

/** What the person set, or the defaults. */
export function settingsOf(row: EndpointRow): EndpointSettings {
  return row.settings ?? DEFAULT_ENDPOINT_SETTINGS;
}

/** Tokens a request may hold: what the person set goes before what was found. */
export function contextTokensOf(row: EndpointRow): number | null {
  return settingsOf(row).contextTokens ?? row.contextTokens;
}

/** Whether a key that was given for this profile may go to `url`: one of the origins that the person typed themselves. */
export function keyMayGoTo(row: Pick<EndpointRow, 'baseUrl' | 'settings'>, url: string): boolean {
  const origins = [row.baseUrl, ...(row.settings?.moreUrls ?? [])].map((each) => new URL(each).origin);
  return origins.includes(new URL(url).origin);
}

/** What was found of a server and its model. It says nothing of another address or another model. */
export interface EndpointFound {
  readonly id: EndpointId;
  readonly baseUrl: string;
  readonly model: string;
  /** Null: the server does not say, and what was known stays. */
  readonly contextTokens: number | null;
  /** Absent: nothing was tested. */
  readonly check?: EndpointCheck;
  /** Absent: what was known stays. */
  readonly capabilities?: Capabilities;
}

/** The profile with what was found of it; null when it is gone, or has another address or model by now. */
export function withFound(row: EndpointRow | null, found: EndpointFound): EndpointRow | null {
  if (row === null || row.baseUrl !== found.baseUrl || row.model !== found.model) return null;
  const contextTokens = found.contextTokens ?? row.contextTokens;
  const { capabilities, check } = found;
  const known = { ...row, contextTokens, ...(capabilities === undefined ? {} : { capabilities }) };
  return check === undefined ? known : { ...known, lastCheck: check, updatedMs: check.atMs };
}

export interface EndpointCheck {
  readonly atMs: number;
  /** `ready`, or the code of the first probe that failed. */
  readonly state: string;
  readonly latencyMs: number | null;
}
