import type { JsonValue } from './json-value';
import type { ToolWay } from './capabilities';
import { MAX_CONCURRENCY } from './task';

/** What the person set for an endpoint. What is absent or null is found out, or left to the server. */
export interface EndpointSettings {
  /** Tokens a request may hold; goes before whatever the server tells. */
  readonly contextTokens: number | null;
  /** Requests at once over all tasks; `auto` takes what the server bears. */
  readonly concurrency: number | 'auto';
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
  /** Other origins of the same server. The key goes there too: the person vouches for them. */
  readonly moreUrls: readonly string[];
  /** Sent with each request; `Authorization` and what the browser forbids are not among them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Fields added to the body of each question. What Talaria sets itself, and sampling, is not among them. */
  readonly body: Readonly<Record<string, JsonValue>>;
  readonly sampling: Sampling;
  readonly tools: ToolWay | 'auto';
}

export interface Sampling {
  /** Null: what a task asks for. */
  readonly temperature: number | null;
  readonly topP: number | null;
  readonly seed: number | null;
}

export const DEFAULT_ENDPOINT_SETTINGS: EndpointSettings = {
  contextTokens: null,
  concurrency: 'auto',
  requestsPerMinute: null,
  tokensPerMinute: null,
  moreUrls: [],
  headers: {},
  body: {},
  sampling: { temperature: null, topP: null, seed: null },
  tools: 'auto',
};

/** What decides, beside the model and the question, what is answered. */
export type AnswerShape = Pick<EndpointSettings, 'body' | 'sampling'>;

export interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly whole: boolean;
}

/** Numbers outside of these are not taken. */
export const SETTING_BOUNDS = {
  contextTokens: { least: 512, most: 100_000_000, whole: true },
  concurrency: { least: 1, most: MAX_CONCURRENCY, whole: true },
  perMinute: { least: 1, most: 1_000_000_000, whole: true },
  temperature: { least: 0, most: 2, whole: false },
  topP: { least: 0.001, most: 1, whole: false },
  seed: { least: 0, most: 2 ** 32 - 1, whole: true },
} as const satisfies Record<string, Bounds>;
