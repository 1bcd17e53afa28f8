import { repairBaseUrl } from '../core/base-url';
import { isWithin } from '../core/checked-settings';
import {
  DEFAULT_ENDPOINT_SETTINGS,
  SETTING_BOUNDS,
  type Bounds,
  type EndpointSettings,
} from '../core/endpoint-settings';
import {
  readBodyFields,
  readHeaders,
  writeHeaders,
  type BodyProblem,
  type HeadersProblem,
} from './typed-request-parts';

/** Settings as they stand in the fields of the form. */
export interface TypedSettings {
  contextTokens: string;
  concurrency: string;
  requestsPerMinute: string;
  tokensPerMinute: string;
  temperature: string;
  topP: string;
  seed: string;
  /** One address a line. */
  moreUrls: string;
  /** One `Name: value` a line. */
  headers: string;
  /** A JSON object, or nothing. */
  body: string;
  tools: EndpointSettings['tools'];
}

export type SettingField = Exclude<keyof TypedSettings, 'tools'>;

export type SettingProblem =
  | { readonly what: 'number'; readonly bounds: Bounds }
  | { readonly what: 'url'; readonly line: number; readonly typed: string }
  | HeadersProblem
  | BodyProblem;

export interface ReadSettings {
  /** What can be read of them; what cannot is as if it were not set. */
  readonly settings: EndpointSettings;
  readonly problems: Partial<Record<SettingField, SettingProblem>>;
  /** Addresses that are used otherwise than they were typed. */
  readonly repairedUrls: readonly string[];
}

export function typedSettings(settings: EndpointSettings = DEFAULT_ENDPOINT_SETTINGS): TypedSettings {
  const shown = (value: number | null) => (value === null ? '' : String(value));
  const { temperature, topP, seed } = settings.sampling;
  return {
    contextTokens: shown(settings.contextTokens),
    concurrency: settings.concurrency === 'auto' ? '' : String(settings.concurrency),
    requestsPerMinute: shown(settings.requestsPerMinute),
    tokensPerMinute: shown(settings.tokensPerMinute),
    temperature: shown(temperature),
    topP: shown(topP),
    seed: shown(seed),
    moreUrls: settings.moreUrls.join('\n'),
    headers: writeHeaders(settings.headers),
    body: Object.keys(settings.body).length === 0 ? '' : JSON.stringify(settings.body, null, 2),
    tools: settings.tools,
  };
}

export function readSettings(typed: TypedSettings): ReadSettings {
  const problems: Partial<Record<SettingField, SettingProblem>> = {};
  const number = (field: SettingField, bounds: Bounds) => {
    const read = readNumber(typed[field], bounds);
    if (read === 'wrong') problems[field] = { what: 'number', bounds };
    return read === 'wrong' ? null : read;
  };
  const urls = readUrls(typed.moreUrls);
  const headers = readHeaders(typed.headers);
  const body = readBodyFields(typed.body);
  if (urls.problem) problems.moreUrls = urls.problem;
  if (headers.problem) problems.headers = headers.problem;
  if (body.problem) problems.body = body.problem;
  const settings: EndpointSettings = {
    contextTokens: number('contextTokens', SETTING_BOUNDS.contextTokens),
    concurrency: number('concurrency', SETTING_BOUNDS.concurrency) ?? 'auto',
    requestsPerMinute: number('requestsPerMinute', SETTING_BOUNDS.perMinute),
    tokensPerMinute: number('tokensPerMinute', SETTING_BOUNDS.perMinute),
    moreUrls: urls.urls,
    headers: headers.headers,
    body: body.fields,
    sampling: {
      temperature: number('temperature', SETTING_BOUNDS.temperature),
      topP: number('topP', SETTING_BOUNDS.topP),
      seed: number('seed', SETTING_BOUNDS.seed),
    },
    tools: typed.tools,
  };
  return { settings, problems, repairedUrls: urls.repaired };
}

/** Null where nothing stands. Thousands may be set apart, and digits full-width. */
function readNumber(typed: string, bounds: Bounds): number | null | 'wrong' {
  const plain = typed.normalize('NFKC').trim();
  const digits = bounds.whole
    ? plain.replace(/(?<=\d)[,_ '](?=\d{3}(?!\d))/g, '')
    : plain.replace(/^(\d+),(\d+)$/, '$1.$2');
  if (digits === '') return null;
  if (!/^-?\d*\.?\d+$/.test(digits)) return 'wrong';
  const value = Number(digits);
  return isWithin(value, bounds) ? value : 'wrong';
}

function readUrls(typed: string) {
  const urls = new Set<string>();
  const repaired: string[] = [];
  let problem: SettingProblem | null = null;
  for (const [index, line] of typed.split(/\r?\n/).entries()) {
    const text = line.trim().replace(/,$/, '');
    if (text === '') continue;
    const read = repairBaseUrl(text);
    if (!read.ok) {
      problem ??= { what: 'url', line: index + 1, typed: String(read.failure.details.url ?? '') };
      continue;
    }
    if (read.value.repaired) repaired.push(read.value.url);
    urls.add(read.value.url);
  }
  return { urls: [...urls], repaired, problem };
}
