/** What servers write of a request that is too long, lower case. */
export const OVERFLOW =
  /exceed_context_size|context_length_exceeded|(maximum|max|model'?s|available|exceeds?( the)?|beyond the|loaded with|reached) (allowed )?(model )?context (length|size|window)|context (length|size|window) (of|is|exceeded|limit)|context the overflows|context shift is disabled|context overflow|prompt (is )?too long|too many (input )?tokens|input( \(\d+ tokens\))? is (too long|longer)|input token count|input length .{0,40}exceed|`?inputs`? (tokens \+|must have less)|tokens to keep from the initial prompt|too large for model with|no user query found|maximum prompt length|reduce the length of the (messages|prompt|input)|token count of \d+ exceeds|context (length|size|window) exceeds|exceed(s|ed)? (the )?context limit|exceeded model token limit|model_context_window_exceeded|prompt (is|has) \d+ tokens|range of input length should be|input tokens exceed|request_too_large|current length is \d+ while limit is|max_tokens must be at least 1, got -\d/;

/** Only the room for the answer is too large; the prompt may well fit. */
export const OUTPUT_LIMIT =
  /(max_tokens|max_completion_tokens|max_new_tokens|max_output_tokens).{0,60}(too large|too high|at most|less than or equal|exceeds|maximum)|at most \d+ (completion|output) tokens|range of max_tokens should be/;

/** Larger than what may be sent in a minute: no wait lets it through. */
export const OVER_RATE = /request too large for .{0,200}limit (\d+), requested (\d+)/;

/** Numbers of an overflow: tokens of the prompt, tokens the model holds, tokens asked for the answer. */
export interface OverflowNumbers {
  readonly used: number | null;
  readonly limit: number | null;
  readonly asked: number | null;
  /** The server stopped counting the prompt there: it is at least so long. */
  readonly atLeast: boolean;
}

const LIMIT = [
  /maximum prompt length is (\d+)/,
  /allowed input length of (\d+)/,
  /allowed length \((\d+) tokens\)/,
  /exceed(?:s|ed)? (?:the )?(?:configured )?limit of (\d+)/,
  /token limit: (\d+)/,
  /input length should be \[\d+, (\d+)\]/,
  /context limit: \d+ \+ \d+ > (\d+)/,
  /while limit is (\d+)/,
  /context size \((\d+) tokens\)/,
  /context (?:length|size|window)(?: of| is| limit)?(?: only)?(?: of)? \(?(\d+)/,
  /model's context length \((\d+)/,
  /(\d+) maximum context length/,
  /tokens allowed \((\d+)\)/,
  /> (\d+) maximum/,
  /(?:must be <=|must have less than) (\d+)/,
];
const ASKED = [
  /(\d+) in the output/,
  /context limit: \d+ \+ (\d+) >/,
  /(\d+) in the completion/,
  /(\d+) for the completion/,
  /requested (\d+) output tokens/,
  /(\d+) tokens for the completion/,
  /is too large: (\d+)/,
  /(\d+) `max_new_tokens`/,
];
const USED = [
  /(\d+) of text input/,
  /context limit: (\d+) \+/,
  /request contains (\d+) tokens/,
  /token count of (\d+)/,
  /\(requested: (\d+)\)/,
  /prompt (?:is|has) (\d+) tokens/,
  /input length \(?(\d+)(?: tokens\))? exceeds/,
  /requested tokens \((\d+)\)/,
  /current length is (\d+)/,
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
  /requested (?:about )?(\d+) tokens/,
];

/** Lower case, and numbers without the signs between their thousands: what the patterns here are written for. */
export function plainWords(told: string): string {
  return told.toLowerCase().replace(/(\d),(?=\d{3}\b)/g, '$1');
}

export function overflowNumbers(message: string): OverflowNumbers {
  const lower = plainWords(message);
  const first = (patterns: readonly RegExp[]) => {
    const found = patterns.map((pattern) => pattern.exec(lower)?.[1]).find((each) => each !== undefined);
    return found === undefined ? null : Number(found);
  };
  return { used: first(USED), limit: first(LIMIT), asked: first(ASKED), atLeast: /at least \d+ input/.test(lower) };
}
