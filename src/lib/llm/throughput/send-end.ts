import type { FailureCode } from '../../core/failure-codes';
import type { Completion } from '../../core/model';
import type { Result } from '../../core/result';
import type { SendEnd, SendTurn } from './send-line';

/**
 * What was refused at an address for what it is, or for who asks: nothing of the request was done there. Another address of
 * the endpoint is asked instead.
 */
const NOT_SERVED: ReadonlySet<FailureCode> = new Set([
  'endpoint_unreachable',
  'endpoint_loading',
  'endpoint_redirected',
  'connect_timeout',
  'cors_blocked',
  'auth_failed',
  'login_page',
  'model_not_found',
  'quota_exhausted',
  'wrong_base_url',
]);

/** What comes of the way to a server, or of its state, rather than of the question. */
const BADLY_SERVED: ReadonlySet<FailureCode> = new Set([
  'server_busy',
  'server_fault',
  'stream_cut',
  'stream_malformed',
  'first_token_timeout',
  'idle_timeout',
  'request_timeout',
]);

/** What the end of a request says of the server and of the way to it. */
export function sendEndOf(answered: Result<Completion>): SendEnd {
  if (!answered.ok) {
    const { code } = answered.failure;
    if (code === 'rate_limited') return { how: 'refused' };
    if (NOT_SERVED.has(code)) return { how: 'unserved' };
    return BADLY_SERVED.has(code) ? { how: 'failed', isBusy: code === 'server_busy' } : { how: 'other' };
  }
  const { usage, durationMs, continuation } = answered.value;
  const { promptTokens, completionTokens, estimated } = usage;
  return {
    how: 'answered',
    // A token's time, wait in the server's queue included: longer answers take no part in it. What was there before the
    // request says nothing of how long it takes.
    latencyMs: continuation ? null : durationMs / Math.max(1, completionTokens),
    countedTokens: estimated ? null : promptTokens + completionTokens,
  };
}

/** Whether it was another address than the endpoint's own that did not serve: that alone says nothing of the endpoint. */
export function isLaneTrouble({ isHome }: SendTurn, answered: Result<Completion>): boolean {
  return !isHome && !answered.ok && NOT_SERVED.has(answered.failure.code);
}
