import { failure, type Failure } from '../core/failure';
import type { FailureCode } from '../core/failure-codes';
import type { StepRow, Suspicion } from '../core/step';

/** From then on a step is worked on last and alone: what ends with it in hand has ended because of it, or by chance. */
const SUSPECT_AFTER = 2;
/** Never reached but alone: up to the one before, the fault may be a neighbour's. */
const CONDEMNED_AFTER = 3;

const NONE: Suspicion = { deaths: 0, outages: 0, answered: 0, isServerSound: false };

/** What a server in trouble says, and one that is being started again. Other refusals do not mean that it went down. */
const DOWN: readonly FailureCode[] = ['endpoint_unreachable', 'endpoint_loading'];

export function isSuspect(step: StepRow): boolean {
  const { deaths, outages } = step.suspicion ?? NONE;
  return Math.max(deaths, outages) >= SUSPECT_AFTER;
}

/** The server went down under this step twice: whether it is up now is worth knowing before it is asked again. */
export function isServerSuspect(step: StepRow): boolean {
  return (step.suspicion ?? NONE).outages >= SUSPECT_AFTER;
}

/** The least suspicious first: an innocent one that is answered shows that the server works. */
export function bySuspicion(a: StepRow, b: StepRow): number {
  return weightOf(a) - weightOf(b);
}

/** `wasAlone`: no other step was in hand. One that was not alone comes no further than to be suspected. */
export function afterDeath(step: StepRow, wasAlone: boolean): StepRow {
  const before = step.suspicion ?? NONE;
  const deaths = wasAlone ? before.deaths + 1 : Math.min(before.deaths + 1, SUSPECT_AFTER);
  return { ...step, suspicion: { ...before, deaths: Math.max(before.deaths, deaths) } };
}

export interface Asked {
  /** Requests of the task answered so far. */
  readonly answered: number;
  /** So few steps are pending that nobody is left to show that the server works. */
  readonly fewLeft: boolean;
}

/** The row after a request that went out and ended in `why`. */
export function afterWait(step: StepRow, why: Failure, { answered, fewLeft }: Asked): StepRow {
  if (!DOWN.includes(why.code)) return step;
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
 * `crashes_app` when the app ended three times in a row with this step in hand, at last with nothing else in hand.
 * `crashes_server` when the same happened to the server, and it is the step and not the server.
 */
export function condemnation(step: StepRow): Failure | null {
  const { deaths, outages, isServerSound } = step.suspicion ?? NONE;
  const details = (times: number) => ({ times, ...(step.file ? { path: step.file.path } : {}) });
  if (deaths >= CONDEMNED_AFTER) return failure('crashes_app', { details: details(deaths) });
  if (outages < CONDEMNED_AFTER || !isServerSound) return null;
  return failure('crashes_server', { details: details(outages) });
}

function weightOf(step: StepRow): number {
  const { deaths, outages } = step.suspicion ?? NONE;
  return deaths + outages;
}
