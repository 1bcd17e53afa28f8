export const OPEN_CALL = '<tool_call>';
export const CLOSE_CALL = '</tool_call>';
export const OPEN_RESPONSE = '<tool_response>';
export const CLOSE_RESPONSE = '</tool_response>';

/** Sent as `stop`, it keeps a model from making up what its call would bring. */
export const HERMES_STOPS: readonly string[] = [OPEN_RESPONSE];

const TAG_LIKE = /<(?=\/?(?:tool_call|tool_response|tools|think|thinking)\b|\|)/gi;

/**
 * JSON whose strings hold no tag of the conversation's own, so that a file's text can neither end what quotes it nor be
 * read as a call. It says the same: the bracket is escaped. Spaced as the templates of Hermes space it.
 */
export function tagFreeJson(value: unknown): string {
  return spaced(JSON.stringify(value)).replace(TAG_LIKE, '\\u003c');
}

/** A space after each colon and comma that stands outside of strings. */
function spaced(json: string): string {
  return json.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|[:,]/g, (token) => (token.startsWith('"') ? token : `${token} `));
}
