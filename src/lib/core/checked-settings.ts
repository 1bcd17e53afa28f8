import { repairBaseUrl } from './base-url';
import { DEFAULT_ENDPOINT_SETTINGS, SETTING_BOUNDS, type Bounds, type EndpointSettings } from './endpoint-settings';
import type { JsonValue } from './json-value';
import { bodyFieldProblem, headerProblem } from './reserved-request';

const TOOL_WAYS: readonly EndpointSettings['tools'][] = ['auto', 'native', 'hermes'];

/** The settings that a value of unknown origin holds. What is damaged in it, or may not be set, is as if it were not set. */
export function checkedSettings(value: unknown): EndpointSettings {
  const given = fieldsOf(value);
  const sampling = fieldsOf(given.sampling);
  const { contextTokens, perMinute, concurrency, temperature, topP, seed } = SETTING_BOUNDS;
  return {
    contextTokens: within(given.contextTokens, contextTokens),
    concurrency: within(given.concurrency, concurrency) ?? 'auto',
    requestsPerMinute: within(given.requestsPerMinute, perMinute),
    tokensPerMinute: within(given.tokensPerMinute, perMinute),
    moreUrls: urlsOf(given.moreUrls),
    headers: headersOf(given.headers),
    body: bodyOf(given.body),
    sampling: {
      temperature: within(sampling.temperature, temperature),
      topP: within(sampling.topP, topP),
      seed: within(sampling.seed, seed),
    },
    tools: TOOL_WAYS.find((way) => way === given.tools) ?? DEFAULT_ENDPOINT_SETTINGS.tools,
  };
}

export function isWithin(value: number, { least, most, whole }: Bounds): boolean {
  return Number.isFinite(value) && value >= least && value <= most && (!whole || Number.isInteger(value));
}

function within(value: unknown, bounds: Bounds): number | null {
  return typeof value === 'number' && isWithin(value, bounds) ? value : null;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function urlsOf(value: unknown): readonly string[] {
  const typed = Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
  const urls = typed.flatMap((each) => {
    const repaired = repairBaseUrl(each);
    return repaired.ok ? [repaired.value.url] : [];
  });
  return [...new Set(urls)];
}

function headersOf(value: unknown): Readonly<Record<string, string>> {
  const named = new Map<string, [string, string]>();
  for (const [name, text] of Object.entries(fieldsOf(value))) {
    if (typeof text !== 'string' || headerProblem(name, text) !== null) continue;
    if (!named.has(name.toLowerCase())) named.set(name.toLowerCase(), [name, text]);
  }
  return Object.fromEntries(named.values());
}

function bodyOf(value: unknown): Readonly<Record<string, JsonValue>> {
  return Object.fromEntries(
    Object.entries(fieldsOf(value)).filter((field): field is [string, JsonValue] => {
      const [name, held] = field;
      return isJson(held) && bodyFieldProblem(name, held) === null;
    }),
  );
}

function isJson(value: unknown): value is JsonValue {
  if (value === null || ['string', 'boolean', 'number'].includes(typeof value)) return true;
  return typeof value === 'object' && Object.values(value).every(isJson);
}
