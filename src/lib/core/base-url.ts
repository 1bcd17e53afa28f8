import { failure } from './failure';
import { fail, ok, type Result } from './result';

export interface RepairedUrl {
  readonly url: string;
  /** True when what was typed was not this already; the person is shown the repair. */
  readonly repaired: boolean;
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|.*\.localhost)$/;
/** What is left once a name is in ASCII. Chromium escapes a space in it where others throw. */
const HOST = /^[\w.:[\]-]+$/;
const KNOWN_TAILS = /\/(chat\/completions|completions|models)$/;

/**
 * The base URL that was meant: scheme added or mended, quotes, spaces, full-width signs, doubled and trailing slashes
 * and a pasted route removed, `/v1` added where the path is empty. Credentials, query and fragment are refused: a key never belongs in a URL.
 * Failure: `url_invalid`.
 */
export function repairBaseUrl(typed: string): Result<RepairedUrl> {
  const trimmed = typed
    .normalize('NFKC')
    .trim()
    .replace(/^["'<(]+|["'>)]+$/g, '')
    .replace(/^(https?)(?::\/+|\/\/+)/i, '$1://')
    .replace(/^\/+/, '');
  const invalid = (why: string) =>
    fail(failure('url_invalid', { message: why, details: { url: withoutSecrets(trimmed) } }));
  if (trimmed === '') return invalid('empty');
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed);
  const withScheme = hasScheme ? trimmed : `${guessScheme(trimmed)}://${trimmed}`;
  let url: URL;
  try {
    url = new URL(withScheme);
  } catch {
    return invalid('not a URL');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return invalid('not http or https');
  if (!HOST.test(url.hostname)) return invalid('not the name of a host');
  if (url.username !== '' || url.password !== '') return invalid('credentials in the URL');
  if (url.search !== '' || url.hash !== '') return invalid('query or fragment in the URL');
  const path = url.pathname
    .replace(/\/{2,}/g, '/')
    .replace(/\/+$/, '')
    .replace(KNOWN_TAILS, '');
  const repaired = `${url.origin}${path === '' ? '/v1' : path}`;
  return ok({ url: repaired, repaired: repaired !== typed });
}

function guessScheme(typed: string): 'http' | 'https' {
  const host = typed.split('/')[0]?.replace(/:\d+$/, '') ?? '';
  const isAddress = /^\d+(\.\d+){3}$/.test(host) || host.startsWith('[');
  return isAddress || LOOPBACK.test(host) || !host.includes('.') || /:\d+(\/|$)/.test(typed) ? 'http' : 'https';
}

function withoutSecrets(typed: string): string {
  return typed.replace(/[?#].*$/s, '').replace(/^([a-z][a-z0-9+.-]*:\/\/)?[^/]*@/i, '$1');
}
