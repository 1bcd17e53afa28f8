import type { JsonValue } from './json-value';

/** Why a header or a field cannot be one of the person's own. */
export type HeaderProblem =
  'name_invalid' | 'value_invalid' | 'key_belongs_elsewhere' | 'set_by_talaria' | 'set_by_browser';
export type BodyFieldProblem = 'set_by_talaria' | 'set_above' | 'not_finite';

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;
/** Visible ASCII with spaces and tabs within. */
const HEADER_VALUE = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/;

const OWN_HEADERS = new Set(['accept', 'content-type', 'x-conversation-id']);
/** Dropped by browsers without a word, or decided by them: https://fetch.spec.whatwg.org/#forbidden-request-header */
const BROWSER_HEADERS = new Set([
  'accept-charset',
  'accept-encoding',
  'access-control-request-headers',
  'access-control-request-method',
  'access-control-request-private-network',
  'connection',
  'content-length',
  'cookie',
  'cookie2',
  'date',
  'dnt',
  'expect',
  'host',
  'keep-alive',
  'origin',
  'referer',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
]);
const BROWSER_PREFIXES = ['proxy-', 'sec-', 'x-http-method', 'x-method-override'];

/** Null when the header can be sent with each request. */
export function headerProblem(name: string, value: string): HeaderProblem | null {
  const lower = name.toLowerCase();
  if (!HEADER_NAME.test(name)) return 'name_invalid';
  if (lower === 'authorization') return 'key_belongs_elsewhere';
  if (OWN_HEADERS.has(lower) || lower.startsWith('x-stainless-')) return 'set_by_talaria';
  if (BROWSER_HEADERS.has(lower) || BROWSER_PREFIXES.some((prefix) => lower.startsWith(prefix)))
    return 'set_by_browser';
  return HEADER_VALUE.test(value) ? null : 'value_invalid';
}

/** What Talaria decides of each question. Another value would break what it promises of answers. */
const OWN_FIELDS = new Set([
  'add_generation_prompt',
  'continue_final_message',
  'echo',
  'max_completion_tokens',
  'max_tokens',
  'messages',
  'model',
  'n',
  'prompt',
  'response_format',
  'return_progress',
  'stream',
  'stream_options',
  'tool_choice',
  'tools',
]);
const SAMPLING_FIELDS = new Set(['temperature', 'top_p', 'seed']);

/** Null when the field can be added to the body of each question. */
export function bodyFieldProblem(name: string, value: JsonValue): BodyFieldProblem | null {
  if (SAMPLING_FIELDS.has(name)) return 'set_above';
  if (OWN_FIELDS.has(name)) return 'set_by_talaria';
  return isFinite(value) ? null : 'not_finite';
}

function isFinite(value: JsonValue): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(isFinite);
}
