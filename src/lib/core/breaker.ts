import type { FailureCode } from './failure-codes';
import type { EndpointId } from './ids';

/** What is known of an endpoint that does not answer, kept over restarts. No row: nothing speaks against it. */
export interface BreakerRow {
  readonly v: 1;
  readonly id: EndpointId;
  /** Looks in a row that found it out of reach. */
  readonly failures: number;
  readonly code: FailureCode;
  /** Wall clock, Unix milliseconds: since when, and when it is to be looked at next. */
  readonly sinceMs: number;
  readonly nextLookMs: number;
}
