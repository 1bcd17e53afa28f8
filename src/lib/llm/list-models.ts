import type { ModelListing } from '../core/doctor';
import type { Clock, Network } from '../core/ports';
import { fail, ok, type Result } from '../core/result';
import { throwIfAborted } from './abort';
import { isSendableKey } from './key-form';
import { made, mapAnswer, mapRefusal } from './map-error';
import { readModels } from './models';
import { openClient } from './openai-client';
import { withLimit } from './time-limit';

export interface ListOptions {
  /** Repaired already, see `repairBaseUrl`. */
  readonly baseUrl: string;
  readonly key: string | null;
  /** The person's own. @default none */
  readonly headers?: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly network: Network;
  readonly signal: AbortSignal;
  readonly fetch?: typeof fetch;
}

const LIMIT_MS = 8_000;

/** The models that an endpoint offers, in its own order. */
export async function listModels(options: ListOptions): Promise<Result<readonly ModelListing[]>> {
  const { clock, network, signal } = options;
  const context = { ...options, model: '', nowMs: clock.now(), online: network.online };
  throwIfAborted(signal);
  if (!isSendableKey(options.key)) return fail(made(context, 'auth_failed', 'the key cannot be sent'));
  try {
    const client = openClient(options);
    const listed = await withLimit(clock, LIMIT_MS, signal, async (limited) =>
      readModels(await client.models(limited)),
    );
    if (!listed.ok) return fail(made(context, 'connect_timeout', 'no list in time', { limitMs: LIMIT_MS }));
    if (listed.value.models) return ok(listed.value.models);
    return fail(mapAnswer({ status: 200, headers: null, bodyText: listed.value.bodyText }, context));
  } catch (error) {
    throwIfAborted(signal);
    return fail(mapRefusal(error, context));
  }
}
