import type { RequestClocks } from '../core/model';
import type { Clock } from '../core/ports';
import { isAbort } from '../core/result';

export type ClockCode = 'connect_timeout' | 'first_token_timeout' | 'idle_timeout' | 'request_timeout';

/** The clocks of one request. Each has its own failure; the first that runs out aborts `signal`. */
export interface RequestWatch {
  /** Fires when a clock ran out and when the caller's own signal does. */
  readonly signal: AbortSignal;
  /** The clock that ran out; null while none has, and when it was only the grace after a finish reason. */
  readonly expired: ClockCode | null;
  headersSeen(): void;
  /** The server told of its progress (a role, prompt progress): the wait for the first token begins anew. */
  progressSeen(): void;
  /** Comments that keep a connection open are not tokens. */
  tokenSeen(): void;
  /** Nothing but usage and the end of the stream is missing. */
  finishSeen(graceMs: number): void;
  /** Always call it: it ends the timer and lets go of the caller's signal. */
  stop(): void;
}

type Phase = 'connect' | 'first_token' | 'tokens' | 'grace';

export function watchRequest(clock: Clock, limits: RequestClocks, outer: AbortSignal): RequestWatch {
  const controller = new AbortController();
  const startedMs = clock.monotonicMs();
  let phase: Phase = 'connect';
  let sinceMs = startedMs;
  let graceMs = limits.graceMs;
  let expired: ClockCode | null = null;
  let stopped = false;
  let sleeping = new AbortController();

  const onOuterAbort = () => controller.abort();
  if (outer.aborted) controller.abort();
  outer.addEventListener('abort', onOuterAbort, { once: true });

  const enter = (next: Phase) => {
    sinceMs = clock.monotonicMs();
    if (phase === next) return;
    phase = next;
    sleeping.abort();
  };

  // Tokens only move `sinceMs`: the timer looks again when it wakes, so a token costs no timer.
  const run = async () => {
    while (!stopped) {
      const due = nextDeadline(phase, sinceMs, graceMs, limits, startedMs);
      const leftMs = due.atMs - clock.monotonicMs();
      if (leftMs <= 0) {
        expired = due.code;
        controller.abort();
        return;
      }
      sleeping = new AbortController();
      await clock.sleep(leftMs, sleeping.signal).catch((error: unknown) => {
        if (!isAbort(error)) throw error;
      });
    }
  };
  void run();

  return {
    signal: controller.signal,
    get expired() {
      return expired;
    },
    headersSeen: () => enter('first_token'),
    progressSeen: () => {
      if (phase === 'first_token') enter('first_token');
    },
    tokenSeen: () => enter('tokens'),
    finishSeen: (givenMs) => {
      graceMs = givenMs;
      enter('grace');
      sleeping.abort();
    },
    stop: () => {
      stopped = true;
      sleeping.abort();
      outer.removeEventListener('abort', onOuterAbort);
    },
  };
}

function nextDeadline(phase: Phase, sinceMs: number, graceMs: number, limits: RequestClocks, startedMs: number) {
  const own = ownDeadline(phase, graceMs, limits);
  const atMs = sinceMs + own.limitMs;
  const wholeAtMs = startedMs + limits.wholeMs;
  return phase === 'grace' || atMs <= wholeAtMs
    ? { code: own.code, atMs }
    : { code: 'request_timeout' as const, atMs: wholeAtMs };
}

function ownDeadline(
  phase: Phase,
  graceMs: number,
  limits: RequestClocks,
): { code: ClockCode | null; limitMs: number } {
  switch (phase) {
    case 'connect':
      return { code: 'connect_timeout', limitMs: limits.connectMs };
    case 'first_token':
      return { code: 'first_token_timeout', limitMs: limits.firstTokenMs };
    case 'tokens':
      return { code: 'idle_timeout', limitMs: limits.idleMs };
    case 'grace':
      return { code: null, limitMs: graceMs };
  }
}
