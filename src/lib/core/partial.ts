import type { ResultKey, StepKey, TaskId } from './ids';

/** Where a server keeps the stream of an answer apart from the connection that asked for it. */
export interface StreamPlace {
  /** The endpoint that was asked. */
  readonly baseUrl: string;
  readonly id: string;
  /** Bytes up to the end of the last whole event that was read; 0 before the first. */
  readonly offset: number;
  /** That event, and the byte at which it begins: the stream that is found there must be the one that was left. */
  readonly last: { readonly from: number; readonly data: string } | null;
  /** What the stream goes on from, being one that continued an answer: characters of the content, and tokens. */
  readonly before: { readonly characters: number; readonly tokens: number };
}

/** What came in of an answer before it was interrupted: complete characters only, as received. */
export interface Begun {
  /** Thinking and calls that stand in the text included. */
  readonly content: string;
  /** Thinking that the server tells apart. */
  readonly reasoning: string;
  /** Of both, counted as they came. */
  readonly tokens: number;
  /** The model's name as the server told it; null before it did. */
  readonly served: string | null;
  /** Null when the server keeps no stream. */
  readonly stream: StreamPlace | null;
}

/** Text of an answer that is still coming in, kept so that an interruption does not lose it. */
export interface PartialRow {
  readonly v: 1;
  readonly taskId: TaskId;
  /** The key that its result will have: the request's input hash. One request streams at a time. */
  readonly request: ResultKey;
  readonly stepKey: StepKey;
  /** What may be shown of it. */
  readonly text: string;
  /** Estimated where the model does not tell. */
  readonly tokens: number;
  readonly updatedMs: number;
  /** What the answer can be gone on with from; absent in rows of the first version, and for a model that cannot. */
  readonly begun?: Begun;
}
