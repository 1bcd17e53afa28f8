const REMOVED = '[key removed]';
const BEARER = /\bBearer\s+(?!\[key removed\])[^\s"',;]+/gi;
/** Also the half-masked forms that servers echo, such as `sk-TES****3456`. */
const SECRET_KEY = /\bsk-[A-Za-z0-9_*.…-]{4,}/g;
const SHORTEST_KEY = 4;

/** The text without the key, anything after `Bearer`, and anything that looks like a key. */
export function scrubSecrets(text: string, key: string | null): string {
  const forms = key !== null && key.length >= SHORTEST_KEY ? [key, encodeURIComponent(key)] : [];
  const without = forms.reduce((scrubbed, form) => scrubbed.replaceAll(form, REMOVED), text);
  return without.replace(BEARER, `Bearer ${REMOVED}`).replace(SECRET_KEY, REMOVED);
}
