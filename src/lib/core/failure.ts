import {
  FAILURES,
  type FailureCode,
  type FailureDefinition,
  type FailureKind,
  type ParkReason,
  type Verdict,
} from './failure-codes';

/**
 * Something that went wrong and was expected to be able to. Plain data: it is stored, sent between worker and page,
 * and shown. `message` is technical and in English; people read the code's translated sentence with `details` put in.
 * `details` never holds a key, a prompt or file text.
 */
export interface Failure {
  readonly code: FailureCode;
  readonly kind: FailureKind;
  readonly verdict: Verdict;
  readonly message: string;
  readonly details: FailureDetails;
  /** How long the other side asked us to wait, in milliseconds. */
  readonly retryAfterMs?: number;
}

export type FailureDetails = Readonly<Record<string, string | number>>;

export function failure(
  code: FailureCode,
  options: { message?: string; details?: FailureDetails; retryAfterMs?: number } = {},
): Failure {
  const { kind, verdict } = FAILURES[code];
  return {
    code,
    kind,
    verdict,
    message: options.message ?? code,
    details: options.details ?? {},
    ...(options.retryAfterMs === undefined ? {} : { retryAfterMs: options.retryAfterMs }),
  };
}

/** The pause that a `wait` or `ask` failure leads to; null means the task holds in place and goes on by itself. */
export function parkReason(code: FailureCode): ParkReason | null {
  const definition: FailureDefinition = FAILURES[code];
  return definition.park ?? null;
}
