import type { Clock } from '../core/ports';
import { isAbort } from '../core/result';
import { SleepSense } from '../core/sleep-sense';
import type { RequestLimits } from './request-limits';

export type ClockCode =
  'connect_timeout' | 'first_token_timeout' | 'idle_timeout' | 'request_timeout' | 'sleep_interrupted';

/** The clocks of one request. Each has its own failure; the first that runs out aborts `signal`. */
export interface RequestWatch {
  /** Fires when a clock ran out and when the caller's own signal does. */
  readonly signal: AbortSignal;
  /** The clock that ran out; null while none has, and when it was only the grace after a finish reason. */
  readonly expired: ClockCode | null;
  headersSeen(): void;
  /** The server is at work (a role, prompt progress, a comment): the wait for the first token begins anew. */
  progressSeen(): void;
  /** Comments that keep a connection open are not tokens: between tokens they change nothing. */
  tokenSeen(): void;
  /** Nothing but usage and the end of the stream is missing. */
  finishSeen(graceMs: number): void;
  /** Always call it: it ends the timer and lets go of the caller's signal. */
  stop(): void;
}

/** A timer is looked at this often at least, so that a sleep of the machine is noticed soon after it. */
const LOOK_MS = 10_000;

type Phase = 'connect' | 'first_token' | 'tokens' | 'grace';

/**
 * Watches one request. After a sleep of the machine its connection may be dead without anybody saying so, or as alive
 * as before: it is given a short time to show life, whatever was left of its clocks, and that is nobody's failure.
 */
export function watchRequest(clock: Clock, limits: RequestLimits, outer: AbortSignal): RequestWatch {
  const controller = new AbortController();
  const sense = new SleepSense(clock);
  const times: Times = { startedMs: clock.monotonicMs(), sinceMs: clock.monotonicMs(), wokeMs: null };
  let phase: Phase = 'connect';
  let graceMs = limits.graceMs;
  let expired: ClockCode | null = null;
  let stopped = false;
  let sleeping = new AbortController();

  const onOuterAbort = () => controller.abort();
  if (outer.aborted) controller.abort();
  outer.addEventListener('abort', onOuterAbort, { once: true });

  const enter = (next: Phase) => {
    times.sinceMs = clock.monotonicMs();
    times.wokeMs = null;
    if (phase === next) return;
    phase = next;
    sleeping.abort();
  };

  // Tokens only move `sinceMs`: the timer looks again when it wakes, so a token costs no timer.
  const run = async () => {
    while (!stopped) {
      const due = nextDeadline(phase, times, graceMs, limits);
      const leftMs = due.atMs - clock.monotonicMs();
      if (leftMs <= 0) {
        expired = due.code;
        controller.abort();
        return;
      }
      sleeping = new AbortController();
      const timerMs = Math.min(leftMs, LOOK_MS);
      await clock.sleep(timerMs, sleeping.signal).catch((error: unknown) => {
        if (!isAbort(error)) throw error;
      });
      const slept = sense.woke(timerMs);
      if (!slept) continue;
      times.wokeMs = clock.monotonicMs();
      times.startedMs += slept.lateMs;
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

interface Times {
  /** When the request began, with sleeps of the machine left out. */
  startedMs: number;
  /** When its phase began, or it last showed life. */
  sinceMs: number;
  /** When the machine woke, until the request shows life again. */
  wokeMs: number | null;
}

function nextDeadline(phase: Phase, { startedMs, sinceMs, wokeMs }: Times, graceMs: number, limits: RequestLimits) {
  if (wokeMs !== null && phase !== 'grace') {
    const readingMs = phase === 'tokens' ? 0 : limits.wakeReadingMs;
    return { code: 'sleep_interrupted' as const, atMs: wokeMs + limits.wakeMs + readingMs };
  }
  const own = ownDeadline(phase, graceMs, limits);
  const atMs = sinceMs + own.limitMs;
  const wholeAtMs = startedMs + limits.wholeMs;
  return phase === 'grace' || atMs < wholeAtMs
    ? { code: own.code, atMs }
    : { code: 'request_timeout' as const, atMs: wholeAtMs };
}

function ownDeadline(
  phase: Phase,
  graceMs: number,
  limits: RequestLimits,
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
