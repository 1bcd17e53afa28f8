const VISIBLE =
  /[^\s\0\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0]/;

/**
 * The form in which text goes on: no byte order mark, no NUL padding, every line end one `\n`. A file's digest is
 * taken over its bytes as they are on disk, so this changes no identity.
 */
export function normaliseText(text: string): string {
  return text.replace(/[\ufeff\0]+/g, '').replace(/\r\n?/g, '\n');
}

/** True when nothing in it can be seen: a model asked about it would make something up. */
export function isBlankText(text: string): boolean {
  return !VISIBLE.test(text);
}
