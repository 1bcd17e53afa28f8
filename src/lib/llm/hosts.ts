import type { FailureDetails } from '../core/failure';

const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const PRIVATE_V4 = /^(10|192\.168|172\.(1[6-9]|2\d|3[01])|169\.254|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;
const PRIVATE_V6 = /^\[(f[cd]|fe80:)/;

export type Reach = 'loopback' | 'local' | 'public';

/** Where a host is, as far as its name tells. */
export function reachOf(url: string): Reach {
  if (!URL.canParse(url)) return 'public';
  const { hostname } = new URL(url);
  if (LOOPBACK.test(hostname)) return 'loopback';
  if (hostname.startsWith('[')) return PRIVATE_V6.test(hostname) ? 'local' : 'public';
  if (/^\d+(\.\d+){3}$/.test(hostname)) return PRIVATE_V4.test(hostname) ? 'local' : 'public';
  return hostname.endsWith('.local') || !hostname.includes('.') ? 'local' : 'public';
}

export function isLoopbackUrl(url: string): boolean {
  return reachOf(url) === 'loopback';
}

/** `localhost` may lead to ::1 while the server listens on 127.0.0.1 only, or the other way round. */
export function localhostHint(url: string): FailureDetails {
  return URL.canParse(url) && new URL(url).hostname === 'localhost'
    ? { suggestion: url.replace('//localhost', '//127.0.0.1') }
    : {};
}

/** Address without credentials, query and fragment. */
export function hostOf(url: URL): string {
  return `${url.origin}${url.pathname}`;
}
