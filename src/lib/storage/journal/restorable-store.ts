import type { FolderRow } from '../../core/folder';
import type { ResultKey, StepKey, TaskId } from '../../core/ids';
import type { CheckpointStore, Removal } from '../../core/ports';
import type { Result } from '../../core/result';
import type { TaskRow } from '../../core/task';
import type { WholeTask } from '../import-task';
import type { JournaledCommit } from './chain';
import type { BaseRows } from './lines';

export type StoredRows = Omit<BaseRows, 'what'>;

export interface RestoredRows extends StoredRows {
  readonly removedSteps?: readonly StepKey[];
  readonly settledPartials?: readonly ResultKey[];
}

/** A store that a journal can put back in order. */
export interface RestorableStore extends CheckpointStore {
  /**
   * Puts rows as they are when the task is at `seq`; nothing when the task is there and as far as that. The task's own
   * row comes last, by `restoreTask`: until then the store knows as little of it as before.
   */
  restoreRows(id: TaskId, rows: RestoredRows, seq: number): Promise<Result<void>>;
  /** Puts the task's row unless one is there that is as far, and its folder's unless that is there. */
  restoreTask(task: TaskRow, folder: FolderRow | null): Promise<Result<void>>;
  /**
   * Carries out, in one transaction, what is behind the task's seq; the rest is left out. The task's epoch ends up at the
   * highest of them. Failure: `task_missing`.
   */
  redo(id: TaskId, commits: readonly JournaledCommit[]): Promise<Result<TaskRow>>;
  /**
   * Puts a task that came from a file, with all its rows, in one transaction. Its results are its own (`importedKey`).
   * Failure: `import_task_exists` when a task with its id is there, or is still being deleted.
   */
  addTask(whole: WholeTask): Promise<Result<void>>;
  tidy(resultsBeforeMs: number): Promise<Result<Removal>>;
}
