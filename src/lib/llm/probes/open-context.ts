import { DEFAULT_ENDPOINT_SETTINGS, type EndpointSettings } from '../../core/endpoint-settings';
import type { Clock, Network } from '../../core/ports';
import type { PermissionQuery } from '../../core/reach';
import { isSendableKey } from '../key-form';
import { addressSpace, pageUrl } from '../local-network';
import { openClient } from '../openai-client';
import { RequestDialect } from '../request-dialect';
import type { ProbeContext } from './probe-context';

export interface ContextOptions {
  /** As typed for the doctor, which repairs it; repaired already for everybody else. */
  readonly baseUrl: string;
  readonly model: string;
  readonly key: string | null;
  /** @default nothing set */
  readonly settings?: EndpointSettings;
  readonly clock: Clock;
  readonly network: Network;
  readonly signal: AbortSignal;
  readonly fetch?: typeof fetch;
  /** @default a browser without such a rule */
  readonly permission?: PermissionQuery;
  /** @default the address of the page or worker */
  readonly pageUrl?: string | null;
}

export function openContext(options: ContextOptions): ProbeContext {
  const { baseUrl, key, clock, network, signal } = options;
  const here = options.pageUrl === undefined ? pageUrl() : options.pageUrl;
  const inner = options.fetch ?? fetch;
  const send: typeof fetch = (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    return inner(input, { ...init, ...addressSpace(url, here) });
  };
  const settings = options.settings ?? DEFAULT_ENDPOINT_SETTINGS;
  return {
    errors: { baseUrl, model: options.model.trim(), key, nowMs: clock.now(), online: network.online },
    client: openClient({ baseUrl, key: isSendableKey(key) ? key : null, headers: settings.headers, fetch: send }),
    dialect: new RequestDialect(),
    clock,
    fetch: send,
    permission: options.permission ?? (() => Promise.resolve(null)),
    settings,
    pageUrl: here,
    signal,
  };
}
