import { DEFAULT_ENDPOINT_SETTINGS, type EndpointSettings } from '../../core/endpoint-settings';
import type { Clock, Network } from '../../core/ports';
import type { PermissionQuery } from '../../core/reach';
import { isSendableKey } from '../key-form';
import { pageUrl } from '../local-network';
import { openClient } from '../openai-client';
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
  const inner = options.fetch ?? fetch;
  const settings = options.settings ?? DEFAULT_ENDPOINT_SETTINGS;
  return {
    errors: { baseUrl, model: options.model.trim(), key, nowMs: clock.now(), online: network.online },
    client: openClient({ baseUrl, key: isSendableKey(key) ? key : null, headers: settings.headers, fetch: inner }),
    clock,
    fetch: (input, init) => inner(input, init),
    permission: options.permission ?? (() => Promise.resolve(null)),
    settings,
    pageUrl: options.pageUrl === undefined ? pageUrl() : options.pageUrl,
    signal,
  };
}
