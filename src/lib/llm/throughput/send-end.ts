import type { Completion } from '../../core/model';
import type { Result } from '../../core/result';
import type { SendEnd, SendTurn } from './send-line';

/** What the end of a request says of the server and of the way to it. */
export function sendEndOf(answered: Result<Completion>): SendEnd {
  if (!answered.ok) {
    switch (answered.failure.code) {
      case 'rate_limited':
      case 'server_busy':
        return { how: 'refused' };
      case 'endpoint_unreachable':
        return { how: 'unreachable' };
      default:
        return { how: 'other' };
    }
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

/** Whether it was another address than the endpoint's own that did not answer: that alone says nothing of the endpoint. */
export function isLaneTrouble({ isHome }: SendTurn, answered: Result<Completion>): boolean {
  return !isHome && !answered.ok && answered.failure.code === 'endpoint_unreachable';
}
