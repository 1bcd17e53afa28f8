import { failure, type Failure } from '../core/failure';
import type { FailureCode } from '../core/failure-codes';
import type { StepRow, Suspicion } from '../core/step';

/**
 * What each death speaks against a step. A worker that dies alone, its page alive, has hardly died but of its work; a
 * browser that is gone may have been killed by anyone.
 */
const CRASH_WEIGHT = 4;
const OTHER_WEIGHT = 1;
/** From then on a step is worked on last and alone: two crashes. */
const SUSPECT_WEIGHT = 8;
/** Never reached but alone, since up to then the fault may be a neighbour's: three crashes. */
const CONDEMNED_WEIGHT = 12;

/** The same for times that the server went down. */
const SUSPECT_AFTER = 2;
const CONDEMNED_AFTER = 3;
/** Times that there was an answer which the page may not read: as often as not it says to come again later. */
const UNREAD_AFTER = 10;

const NONE: Suspicion = { deaths: 0, crashes: 0, outages: 0, answered: 0, isServerSound: false };

/** What a server in trouble says, and one that is being started again. Other refusals do not mean that it went down. */
const DOWN: readonly FailureCode[] = ['endpoint_unreachable', 'endpoint_loading'];
/** What the browser makes of it when the server, or a proxy before it, refuses without letting the page read why. */
const UNREAD: FailureCode = 'cors_blocked';

export function isSuspect(step: StepRow): boolean {
  const suspicion = step.suspicion ?? NONE;
  return deathWeight(suspicion) >= SUSPECT_WEIGHT || suspicion.outages >= SUSPECT_AFTER;
}

/** The server went down under this step twice: whether it is up now is worth knowing before it is asked again. */
export function isServerSuspect(step: StepRow): boolean {
  return (step.suspicion ?? NONE).outages >= SUSPECT_AFTER;
}

/** The least suspicious first: an innocent one that is answered shows that the server works. */
export function bySuspicion(a: StepRow, b: StepRow): number {
  return weightOf(a) - weightOf(b);
}

/** How the last owner ended: its page was left in good order, only the worker died, or nobody can tell. */
export type OwnerEnd = 'left' | 'crashed' | 'unknown';

/** `wasAlone`: no other step was in hand. One that was not alone comes no further than to be suspected. */
export function afterEnd(step: StepRow, end: OwnerEnd, wasAlone: boolean): StepRow {
  if (end === 'left') return step;
  const before = step.suspicion ?? NONE;
  const crashes = before.crashes + (end === 'crashed' ? 1 : 0);
  const suspicion = { ...before, deaths: before.deaths + 1, crashes };
  return !wasAlone && deathWeight(suspicion) >= CONDEMNED_WEIGHT ? step : { ...step, suspicion };
}

export interface Asked {
  /** Requests of the task answered so far. */
  readonly answered: number;
  /** So few steps are pending that nobody is left to show that the server works. */
  readonly fewLeft: boolean;
}

/** The row after a request that went out and ended in `why`. */
export function afterWait(step: StepRow, why: Failure, { answered, fewLeft }: Asked): StepRow {
  if (!isTrouble(why.code)) return step;
  const before = step.suspicion ?? NONE;
  const first = before.outages === 0 ? answered : before.answered;
  const isServerSound = before.isServerSound || answered > first || fewLeft;
  return { ...step, suspicion: { ...before, outages: before.outages + 1, answered: first, isServerSound } };
}

export function unsuspected(step: StepRow): StepRow {
  const { suspicion: _, ...rest } = step;
  return rest;
}

/**
 * `crashes_app` when the app ended again and again with this step in hand, at last with nothing else in hand.
 * `crashes_server` when the same happened to the server, and it is the step and not the server. `request_rejected` when
 * other steps were answered and this one never in a way that could be read.
 */
export function condemnation(step: StepRow): Failure | null {
  const suspicion = step.suspicion ?? NONE;
  const { deaths, outages, isServerSound } = suspicion;
  const details = (times: number) => ({ times, ...(step.file ? { path: step.file.path } : {}) });
  if (deathWeight(suspicion) >= CONDEMNED_WEIGHT) return failure('crashes_app', { details: details(deaths) });
  const last = step.history.findLast(({ code }) => code !== null && isTrouble(code));
  const isUnread = last?.code === UNREAD;
  if (outages < (isUnread ? UNREAD_AFTER : CONDEMNED_AFTER) || !isServerSound) return null;
  if (!isUnread) return failure('crashes_server', { details: details(outages) });
  return failure('request_rejected', { message: 'no answer to it could be read', details: details(outages) });
}

function isTrouble(code: FailureCode): boolean {
  return code === UNREAD || DOWN.includes(code);
}

function deathWeight({ deaths, crashes }: Suspicion): number {
  return crashes * CRASH_WEIGHT + (deaths - crashes) * OTHER_WEIGHT;
}

function weightOf(step: StepRow): number {
  const suspicion = step.suspicion ?? NONE;
  return deathWeight(suspicion) + suspicion.outages * CRASH_WEIGHT;
}
