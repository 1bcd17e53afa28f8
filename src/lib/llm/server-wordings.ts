/**
 * What servers write, by what it means. Message texts are matched nowhere else but in `map-error.ts`, through this
 * table and that of overflows (`context/overflow-wordings.ts`); each wording stands in `tests/cases/refusals` or in
 * `map-error.test.ts` with the server it was seen in.
 */
export const LOADING =
  /\bloading (the )?model|model .{0,120}(is|still) (currently |still )?(being )?(loading|loaded|warming)|(starting|warming) up|no available (backend|workers?) yet/;
export const LOAD_FAILED = /failed to load|load(ing)? .{0,40}failed|could not be loaded|cannot be loaded/;
/** The server's own process for the model died, whatever status that is told with. */
export const CRASHED = /model has crashed|channel error|runner process/;

export const MODEL_MISSING =
  /model_not_found|model .{0,160}(not (be )?found|does ?n[o']t exist|not exist|not (been )?loaded|not available|is not (served|a valid model)|unknown)|(no such|unknown|invalid) model|no models? (is |are )?(currently )?loaded|try pulling it|is not a valid model id|no endpoints found|no allowed providers/;
export const WRONG_ENDPOINT =
  /unexpected endpoint|invalid url|unknown (endpoint|route)|no route|cannot (post|get) |404 page not found/;

export const QUOTA =
  /insufficient_quota|billing|payment required|insufficient (balance|credits?|funds)|credit balance|out of credits?|arrears|budget_exceeded|budget has been exceeded|exceeded (its|the) budget/;
export const QUOTA_OR_RATE = /quota/;
export const RATE =
  /rate.?limit|too many requests|slow_down|throttl|resource_exhausted|requests per (minute|second|day)/;

export const BUSY =
  /server busy|overloaded|queue (is )?full|maximum pending requests|at capacity|no slots? available|service.?unavailable|try again later|unloaded while|model (was |has been )?unloaded/;
export const REFUSED_CONTENT =
  /content_filter|content[_ ]?policy|content management policy|responsibleaipolicy|data_inspection_failed|inappropriate content|safety (system|filter|reasons)|flagged|moderation|usage polic/;
export const BAD_KEY =
  /invalid_api_key|authentication_error|autherror|invalid api.?key|api.?key (is )?(not valid|invalid)|incorrect api key|unauthorized|invalid token|missing api key/;

/** A parameter that this server or model does not know. */
export const UNKNOWN_PARAMETER =
  /not supported|unsupported|unknown|unrecognized|unexpected|extra (inputs|fields)|not permitted|not allowed|does not support|only the default/;

/** A schema or a grammar made of it that this server cannot hold an answer to. */
export const BAD_SCHEMA =
  /response_?format|json.?schema|json_object|grammar|guided|structured.?outputs?|xgrammar|outlines|invalid schema|unsupported keyword/;
/** Tools in the fields of a request, where the server or its model knows none. */
export const NO_TOOLS =
  /tool.?choice.{0,80}requires|enable-auto-tool-choice|tool.?call.?parser|(does|do) not support.{0,40}tool|tools?.{0,60}(not supported|unsupported|requires? --jinja|not enabled|disabled)|--jinja|endpoints found that support tool use/;

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
