import type { FailureDetails } from '../core/failure';
import { reachOf } from '../core/reach';

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

/** Address of the server itself, whose own routes lie beside its OpenAI ones. */
export function rootOf(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, '').replace(/\/v\d+[a-z]*$/, '');
}
