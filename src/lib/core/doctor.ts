import type { Capabilities } from './capabilities';
import type { Failure, FailureDetails } from './failure';

/** A model that an endpoint says it serves. */
export interface ModelListing {
  readonly id: string;
  /** Tokens a request may hold; null where the server does not say. */
  readonly contextTokens: number | null;
}

/** What the connection doctor looks at, in this order. Without the first nine nothing works; the others are findings. */
export type ProbeName =
  | 'url'
  | 'secure'
  | 'permission'
  | 'reachable'
  | 'cors'
  | 'loading'
  | 'key'
  | 'model'
  | 'answer'
  | 'context'
  | 'schema'
  | 'tools'
  | 'continue'
  | 'reattach'
  | 'parallel';
export const PROBES: readonly ProbeName[] = [
  'url',
  'secure',
  'permission',
  'reachable',
  'cors',
  'loading',
  'key',
  'model',
  'answer',
  'context',
  'schema',
  'tools',
  'continue',
  'reattach',
  'parallel',
];

/** What a probe found, said in words by its name and its details. */
export type FindingName =
  | 'url_fine'
  | 'url_repaired'
  | 'secure_fine'
  | 'permission_unneeded'
  | 'permission_given'
  | 'permission_asked'
  | 'reached'
  | 'readable'
  | 'loaded'
  | 'loading_waited'
  | 'key_taken'
  | 'key_none'
  | 'model_listed'
  | 'model_unlisted'
  | 'model_only'
  | 'answer_streams'
  | 'answer_buffered'
  | 'answer_whole'
  | 'context_fine'
  | 'context_small'
  | 'context_unknown'
  | 'schema_held'
  | 'schema_object'
  | 'schema_asked'
  | 'tools_native'
  | 'tools_text'
  | 'continue_exact'
  | 'continue_none'
  | 'reattach_found'
  | 'reattach_none'
  | 'parallel_count'
  | 'parallel_least'
  | 'parallel_connections'
  | 'parallel_busy'
  | 'unclear'
  | 'no_time';

export interface Finding {
  readonly name: FindingName;
  readonly details: FailureDetails;
}

/**
 * `lacking`: it works without, but not as well; what could be better is in the finding. `failed` comes with a failure,
 * `running` may come with a finding that says what is being waited for.
 */
export interface ProbeReport {
  readonly probe: ProbeName;
  readonly state: 'running' | 'passed' | 'lacking' | 'failed' | 'skipped';
  readonly failure: Failure | null;
  /** Absent or null: nothing to be said. */
  readonly finding?: Finding | null;
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
  /** Null unless the model answered. */
  readonly capabilities: Capabilities | null;
  /** Another name of this machine at which something answers, when nothing does at the typed one. */
  readonly otherUrl: string | null;
}
