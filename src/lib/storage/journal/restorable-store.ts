import type { FolderRow } from '../../core/folder';
import type { TaskId } from '../../core/ids';
import type { CheckpointStore, Removal } from '../../core/ports';
import type { Result } from '../../core/result';
import type { TaskRow } from '../../core/task';
import type { JournaledCommit } from './chain';
import type { BaseRows } from './lines';

export type StoredRows = Pick<BaseRows, 'steps' | 'results' | 'activity'>;

/** A store that a journal can put back in order. */
export interface RestorableStore extends CheckpointStore {
  /** Puts rows of a task as they are. The task's own row comes last, by `restoreTask`: until then there is no such task. */
  restoreRows(id: TaskId, rows: StoredRows): Promise<Result<void>>;
  /** Puts the task's row, and its folder's unless that is there. */
  restoreTask(task: TaskRow, folder: FolderRow | null): Promise<Result<void>>;
  /**
   * Carries out, in one transaction, what is behind the task's seq; the rest is left out. The task's epoch ends up at the
   * highest of them. Failure: `task_missing`.
   */
  redo(id: TaskId, commits: readonly JournaledCommit[]): Promise<Result<TaskRow>>;
  tidy(resultsBeforeMs: number): Promise<Result<Removal>>;
}
