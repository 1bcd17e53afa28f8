import type { Clock } from '../../core/ports';
import type { Finding, FindingName } from '../../core/doctor';
import type { EndpointSettings } from '../../core/endpoint-settings';
import type { Failure, FailureDetails } from '../../core/failure';
import type { PermissionQuery } from '../../core/reach';
import type { ErrorContext } from '../map-error';
import type { EndpointClient } from '../openai-client';
import type { RequestDialect } from '../request-dialect';

/** What every probe works with. */
export interface ProbeContext {
  readonly errors: ErrorContext;
  readonly client: EndpointClient;
  /** What the server has shown of the parameters that it takes. */
  readonly dialect: RequestDialect;
  readonly clock: Clock;
  /** Says beforehand which network a request goes to, where the browser wants to know. */
  readonly fetch: typeof fetch;
  readonly permission: PermissionQuery;
  /** What the person has set: its headers and fields go with every question. */
  readonly settings: EndpointSettings;
  /** Address of this page; null where there is none, as in tests. */
  readonly pageUrl: string | null;
  readonly signal: AbortSignal;
}

export interface Found {
  readonly state: 'passed' | 'lacking' | 'skipped';
  readonly finding: Finding;
}

export type Outcome = Found | { readonly state: 'failed'; readonly failure: Failure };

export function passed(name: FindingName, details: FailureDetails = {}): Found {
  return { state: 'passed', finding: { name, details } };
}

export function lacking(name: FindingName, details: FailureDetails = {}): Found {
  return { state: 'lacking', finding: { name, details } };
}

export function skipped(name: FindingName, details: FailureDetails = {}): Found {
  return { state: 'skipped', finding: { name, details } };
}

export function failed(failure: Failure): Outcome {
  return { state: 'failed', failure };
}
