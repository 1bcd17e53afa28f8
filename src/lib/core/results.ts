import type { FinishReason } from './model';
import type { ToolCallsRead } from './tool';
import type { ResultKey } from './ids';
import type { Usage } from './usage';

/**
 * A stored output. `reusable` is true only for a whole answer (finish reason `stop`, or `tool_calls` with
 * calls that were all read whole; not empty, and fitting the schema if there is one): such a row's key is its input hash, and the first writer wins. Shared by tasks. Those that came with a file are kept apart (`importedKey`).
 */
export interface ResultRow {
  readonly v: 1;
  readonly key: ResultKey;
  readonly reusable: boolean;
  readonly output: string;
  readonly finishReason: FinishReason;
  readonly usage: Usage;
  readonly model: string;
  readonly createdMs: number;
  /** When a commit last brought it, told to the day: it moves once it would by 24 hours. */
  readonly lastUsedMs: number;
  /** What the model thought before it answered; shown beside the result, and part of no report and no table. */
  readonly thinking?: string;
  /** What it called; absent when it called nothing. */
  readonly calls?: ToolCallsRead;
}
