import type { Clock } from '../core/ports';
import { addressSpace } from './local-network';
import { withLimit } from './time-limit';

interface KnockMeans {
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  /** Null where there is no page. */
  readonly pageUrl: string | null;
  readonly signal: AbortSignal;
}

/**
 * Asks for nothing to read, so that it comes through wherever anybody answers at all: a browser tells a page no more of an
 * answer that it may not read, such as the refusal of a proxy that forgets its CORS headers, than of none. Neither key
 * nor headers go with it.
 */
export function knock(
  { fetch: send, pageUrl }: Pick<KnockMeans, 'fetch' | 'pageUrl'>,
  baseUrl: string,
  signal: AbortSignal,
): Promise<Response> {
  const url = `${baseUrl}/models`;
  return send(url, {
    mode: 'no-cors',
    credentials: 'omit',
    cache: 'no-store',
    referrerPolicy: 'no-referrer',
    signal,
    ...addressSpace(url, pageUrl),
  });
}

/** Whether anybody answers at an address in time. */
export async function isThere(means: KnockMeans, baseUrl: string, limitMs: number): Promise<boolean> {
  try {
    return (await withLimit(means.clock, limitMs, means.signal, (limited) => knock(means, baseUrl, limited))).ok;
  } catch {
    return false;
  }
}
