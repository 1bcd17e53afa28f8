import type { Clock } from '../core/ports';
import { fail, ok, type Result } from '../core/result';
import { ErrorAnswer } from './answer-errors';
import { made, mapRefusal, type ErrorContext } from './map-error';
import type { EndpointClient } from './openai-client';
import { withLimit } from './time-limit';

export const PROBE_LIMIT_MS = 5_000;

/**
 * Whether the endpoint would take a request now. Any answer that can be read will do, since not every server lists its
 * models; only a refused key, a model still loading, a redirect and a server's fault do not.
 */
export async function probeEndpoint(
  client: EndpointClient,
  clock: Clock,
  context: () => ErrorContext,
  signal: AbortSignal,
): Promise<Result<void>> {
  try {
    const answered = await withLimit(clock, PROBE_LIMIT_MS, signal, async (limited) => {
      const response = await client.models(limited);
      await response.body?.cancel();
    });
    if (answered.ok) return ok();
    return fail(made(context(), 'connect_timeout', 'no answer to a probe', { limitMs: PROBE_LIMIT_MS }));
  } catch (error) {
    const failure = mapRefusal(error, context());
    const isHarmless = error instanceof ErrorAnswer && error.status < 500 && failure.code !== 'auth_failed';
    return isHarmless && failure.code !== 'endpoint_loading' ? ok() : fail(failure);
  }
}
