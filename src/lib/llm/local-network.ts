import { reachOf } from '../core/reach';

/**
 * What a request to the local network from a page that came over https says beforehand: a browser that knows of address
 * spaces else refuses it as mixed content before anybody is asked. Others pass it over. Empty for all other requests.
 */
export function addressSpace(url: string, pageUrl: string | null): { readonly targetAddressSpace?: 'local' } {
  const isMixed = pageUrl?.startsWith('https:') === true && url.startsWith('http:');
  return isMixed && reachOf(url) === 'local' ? { targetAddressSpace: 'local' } : {};
}

/** Address of the page or the worker that asks; null where there is none, as in tests. */
export function pageUrl(): string | null {
  const here: { readonly location?: { readonly href: string } } = globalThis;
  return here.location?.href ?? null;
}
