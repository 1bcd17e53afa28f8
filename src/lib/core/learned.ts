import type { EndpointId } from './ids';

/** How full a bucket was, and the wall clock then. A debt is below zero. */
export interface BucketLevel {
  readonly level: number;
  readonly wallMs: number;
}

/** What is left of the requests and the tokens of a minute; null where no such limit is set. */
export interface RateLevels {
  readonly requests: BucketLevel | null;
  readonly tokens: BucketLevel | null;
}

/** What was learned of an endpoint by asking it. It holds for one address; losing it costs learning it again. */
export interface EndpointLearned {
  readonly id: EndpointId;
  readonly baseUrl: string;
  readonly rates: RateLevels | null;
  /** By the model's name: its own counts of the last prompts, each over the estimate. */
  readonly ratios: Readonly<Record<string, readonly number[]>>;
}
