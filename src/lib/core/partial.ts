import type { ResultKey, StepKey, TaskId } from './ids';

/** Text of an answer that is still coming in, kept so that an interruption does not lose it. */
export interface PartialRow {
  readonly v: 1;
  readonly taskId: TaskId;
  /** The key that its result will have: the request's input hash. One request streams at a time. */
  readonly request: ResultKey;
  readonly stepKey: StepKey;
  /** As received, complete characters only. */
  readonly text: string;
  /** Estimated. */
  readonly tokens: number;
  readonly updatedMs: number;
}
