/**
 * What servers write, by what it means. Message texts are matched nowhere else but in `map-error.ts`, through this
 * table; each wording stands in `map-error.test.ts` with the server it was seen in.
 */
export const OVERFLOW =
  /exceed_context_size|context_length_exceeded|(maximum|max|model'?s|available|exceeds?( the)?|beyond the|loaded with|reached) (allowed )?(model )?context (length|size|window)|context (length|size|window) (of|is|exceeded|limit)|context the overflows|context shift is disabled|context overflow|prompt (is )?too long|too many (input )?tokens|input( \(\d+ tokens\))? is (too long|longer)|input token count|input length .{0,40}exceed|`?inputs`? (tokens \+|must have less)|tokens to keep from the initial prompt|too large for model with|no user query found|max_tokens must be at least 1, got -\d/;

/** Only the room for the answer is too large; the prompt may well fit. */
export const OUTPUT_LIMIT =
  /(max_tokens|max_completion_tokens|max_new_tokens|max_output_tokens).{0,60}(too large|too high|at most|less than or equal|exceeds|maximum)|at most \d+ (completion|output) tokens/;

export const LOADING =
  /\bloading (the )?model|model .{0,120}(is|still) (currently |still )?(being )?(loading|loaded|warming)|(starting|warming) up|no available (backend|workers?) yet/;
export const LOAD_FAILED = /failed to load|load(ing)? .{0,40}failed|could not be loaded|cannot be loaded/;

export const MODEL_MISSING =
  /model_not_found|model .{0,160}(not (be )?found|does ?n[o']t exist|not exist|not (been )?loaded|not available|is not (served|a valid model)|unknown)|(no such|unknown|invalid) model|no models? (is |are )?(currently )?loaded|try pulling it/;
export const WRONG_ENDPOINT =
  /unexpected endpoint|invalid url|unknown (endpoint|route)|no route|cannot (post|get) |404 page not found/;

export const QUOTA =
  /insufficient_quota|billing|payment required|insufficient (balance|credits?|funds)|credit balance|out of credits?|arrears/;
export const QUOTA_OR_RATE = /quota/;
export const RATE =
  /rate.?limit|too many requests|slow_down|throttl|resource_exhausted|requests per (minute|second|day)/;

export const BUSY =
  /server busy|overloaded|queue (is )?full|maximum pending requests|at capacity|no slots? available|service.?unavailable|try again later|unloaded while/;
export const REFUSED_CONTENT =
  /content_filter|content_policy|content management policy|content policy|responsibleaipolicy|data_inspection_failed|inappropriate content|safety (system|filter|reasons)|flagged|moderation|usage polic/;
export const BAD_KEY =
  /invalid_api_key|authentication_error|autherror|invalid api.?key|api.?key (is )?(not valid|invalid)|incorrect api key|unauthorized|invalid token|missing api key/;

/** A parameter that this server or model does not know. */
export const UNKNOWN_PARAMETER =
  /not supported|unsupported|unknown|unrecognized|unexpected|extra (inputs|fields)|not permitted|not allowed|does not support|only the default/;

/** "try again in 1m30.5s", "Retry in 185 seconds", "retry after 20 s", "retryDelay": "33s", "in 350ms" */
export const WAIT =
  /(?:try again|retry|retrying|wait|retry_?delay"?:?|reset)s?\s*(?:in|after|for)?:?\s*"?((?:\d+(?:\.\d+)?\s*(?:ms|milliseconds?|hours?|h|minutes?|mins?|m|seconds?|secs?|s)[\s,]*)+)/i;
const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(ms|milli)/, 1],
  [/^h/, 3_600_000],
  [/^m/, 60_000],
  [/^s/, 1_000],
];

/** The sum of a wait such as `1m30.5s`, in milliseconds. */
export function waitMs(words: string): number {
  return [...words.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/gi)].reduce((sum, [, amount, unit]) => {
    const scale = UNITS.find(([pattern]) => pattern.test((unit ?? '').toLowerCase()))?.[1] ?? 0;
    return sum + Number(amount) * scale;
  }, 0);
}

/** Numbers of an overflow: tokens of the prompt, tokens the model holds, tokens asked for the answer. */
export interface OverflowNumbers {
  readonly used: number | null;
  readonly limit: number | null;
  readonly asked: number | null;
  /** The server stopped counting the prompt there: it is at least so long. */
  readonly atLeast: boolean;
}

const LIMIT = [
  /context size \((\d+) tokens\)/,
  /context (?:length|size|window)(?: of| is| limit)?(?: only)?(?: of)? \(?(\d+)/,
  /model's context length \((\d+)/,
  /(\d+) maximum context length/,
  /tokens allowed \((\d+)\)/,
  /> (\d+) maximum/,
  /(?:must be <=|must have less than) (\d+)/,
];
const ASKED = [
  /(\d+) in the completion/,
  /(\d+) for the completion/,
  /requested (\d+) output tokens/,
  /(\d+) tokens for the completion/,
  /is too large: (\d+)/,
  /(\d+) `max_new_tokens`/,
];
const USED = [
  /request \((\d+) tokens\)/,
  /(\d+) in the messages/,
  /(\d+) in your prompt/,
  /resulted in (\d+) tokens/,
  /(\d+) tokens from the input/,
  /(?:at least|has|passed) (\d+) input tokens/,
  /the input \((\d+) tokens\)/,
  /prompt contains (\d+)/,
  /input token count \((\d+)\)/,
  /too long: (\d+) tokens/,
  /given: (\d+)/,
  /requested (\d+) tokens/,
];

export function overflowNumbers(message: string): OverflowNumbers {
  const lower = message.toLowerCase().replace(/(\d),(?=\d{3}\b)/g, '$1');
  const first = (patterns: readonly RegExp[]) => {
    const found = patterns.map((pattern) => pattern.exec(lower)?.[1]).find((each) => each !== undefined);
    return found === undefined ? null : Number(found);
  };
  return { used: first(USED), limit: first(LIMIT), asked: first(ASKED), atLeast: /at least \d+ input/.test(lower) };
}
