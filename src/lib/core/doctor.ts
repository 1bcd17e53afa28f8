import type { Failure } from './failure';

/** A model that an endpoint says it serves. */
export interface ModelListing {
  readonly id: string;
  /** Tokens a request may hold; null where the server does not say. */
  readonly contextTokens: number | null;
}

/** What the connection doctor looks at, in this order. */
export type ProbeName = 'url' | 'reachable' | 'cors' | 'key' | 'model' | 'answer';
export const PROBES: readonly ProbeName[] = ['url', 'reachable', 'cors', 'key', 'model', 'answer'];

export interface ProbeReport {
  readonly probe: ProbeName;
  readonly state: 'running' | 'passed' | 'failed' | 'skipped';
  readonly failure: Failure | null;
  readonly tookMs: number | null;
}

export interface DoctorReport {
  /** `ready`, or the code of the first probe that failed. */
  readonly state: 'ready' | Failure['code'];
  readonly failure: Failure | null;
  readonly probes: readonly ProbeReport[];
  readonly models: readonly ModelListing[];
  readonly firstTokenMs: number | null;
  /** What the repair of the typed URL led to. */
  readonly baseUrl: string;
}
