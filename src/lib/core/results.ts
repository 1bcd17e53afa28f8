import type { FinishReason } from './model';
import type { ResultKey } from './ids';
import type { Usage } from './usage';

/**
 * A stored output. `reusable` is true only for a whole answer (finish reason `stop`, not empty): such a row's key is
 * its input hash, and the first writer wins. Shared by tasks. Those that came with a file are kept apart (`importedKey`).
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
}
