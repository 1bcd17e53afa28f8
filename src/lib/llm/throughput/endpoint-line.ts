import type { Capabilities } from '../../core/capabilities';
import type { EndpointSettings } from '../../core/endpoint-settings';
import type { RateLevels } from '../../core/learned';
import type { Clock } from '../../core/ports';
import { ConcurrencyLimit } from './concurrency-limit';
import { concurrencyRange } from './concurrency-start';
import { HTTP1_CONNECTIONS, laneCandidates } from './lane-candidates';
import { RateBudget, type Taken } from './rate-budget';
import { isSameServer } from './same-server';
import { SendLine } from './send-line';

export interface LineProfile {
  readonly baseUrl: string;
  /** A key goes with each request. */
  readonly isSecret: boolean;
  readonly settings: EndpointSettings;
  /** Null: not found out. */
  readonly capabilities: Capabilities | null;
}

export interface LineMeans {
  readonly clock: Clock;
  readonly fetch?: typeof fetch;
  /** Of an earlier life of the line; null for a full minute. */
  readonly levels: RateLevels | null;
  /** Called when something of the rates was taken. */
  readonly onTaken?: () => void;
  /** Called with what was taken, or given back. */
  readonly tellTaken?: (taken: Taken) => void;
}

export interface EndpointLine {
  readonly line: SendLine;
  readonly rates: RateBudget;
}

/**
 * The line to one endpoint, by what was set for it and found out of it. Requests go to the address that was typed and
 * to the others of the same server: those that the person gave, which need no proof, and for a server on this machine
 * its other names, once it is shown that they lead to it. A key goes to no address that the person did not type.
 */
export function openEndpointLine(
  profile: LineProfile,
  { clock, fetch: send, levels, onTaken, tellTaken }: LineMeans,
): EndpointLine {
  const { baseUrl, settings, capabilities } = profile;
  const range = concurrencyRange(settings.concurrency, capabilities?.slots ?? null);
  const streams = capabilities?.streamsPerConnection ?? null;
  const most = freeAtOnce(streams);
  const guessed = profile.isSecret
    ? []
    : [...(capabilities?.lanes ?? []), ...laneCandidates(baseUrl, lanesFor(range.most, most))];
  const others = [...new Set([...settings.moreUrls, ...guessed])].filter((url) => url !== baseUrl);
  const rates = new RateBudget(settings, clock, levels, tellTaken);
  const line = new SendLine({
    home: { baseUrl, most },
    others: others.map((url) => ({ baseUrl: url, most: freeAtOnce(null) })),
    isSameServer: async (url, signal) =>
      settings.moreUrls.includes(url) ||
      isSameServer(baseUrl, url, signal, send === undefined ? { clock } : { clock, fetch: send }),
    limit: new ConcurrencyLimit(range),
    rates,
    clock,
    ...(onTaken === undefined ? {} : { onTaken }),
  });
  return { line, rates };
}

/** One connection of each address stays free: for a look whether the server is there, and for the connection doctor. */
function freeAtOnce(streams: number | null): number {
  return Math.max(1, (streams ?? HTTP1_CONNECTIONS) - 1);
}

/** Addresses besides the first that so many requests need, and a spare one for each that may not answer. */
function lanesFor(requests: number, most: number): number {
  const needed = Math.ceil(requests / most) - 1;
  return needed <= 0 ? 0 : needed + SPARE_LANES;
}

/** `localhost`, `127.0.0.1` and `[::1]` may each lead nowhere. */
const SPARE_LANES = 3;
