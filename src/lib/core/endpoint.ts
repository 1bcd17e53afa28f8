import type { EndpointId } from './ids';

export const DEFAULT_BASE_URL = 'http://127.0.0.1:8000/v1';
export const DEFAULT_MODEL = 'NousResearch/Hermes-3-Llama-3.1-8B';

/**
 * A model server profile. The key itself is never in this row: `key` says where it is. `stored` keys live encrypted
 * beside it, `session` keys only in the tab that typed them.
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
}

export interface EndpointCheck {
  readonly atMs: number;
  /** `ready`, or the code of the first probe that failed. */
  readonly state: string;
  readonly latencyMs: number | null;
}
