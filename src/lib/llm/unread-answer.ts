import type { Clock } from '../core/ports';
import { addressSpace } from './local-network';
import { withLimit } from './time-limit';

const LIMIT_MS = 2_000;

interface KnockOptions {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly fetch: typeof fetch;
  readonly pageUrl: string;
  readonly signal: AbortSignal;
}

/**
 * Whether somebody answers at an address where a request has just failed without an answer. A browser tells a page no more
 * of an answer that it may not read, such as the refusal of a proxy that forgets its CORS headers: only a request that asks
 * for nothing to read shows that one is there. Neither key nor headers go with it.
 */
export async function isThereUnread({ baseUrl, clock, fetch: send, pageUrl, signal }: KnockOptions): Promise<boolean> {
  const url = `${baseUrl}/models`;
  try {
    const knocked = await withLimit(clock, LIMIT_MS, signal, (limited) =>
      send(url, {
        mode: 'no-cors',
        credentials: 'omit',
        cache: 'no-store',
        referrerPolicy: 'no-referrer',
        signal: limited,
        ...addressSpace(url, pageUrl),
      }),
    );
    return knocked.ok;
  } catch {
    return false;
  }
}
