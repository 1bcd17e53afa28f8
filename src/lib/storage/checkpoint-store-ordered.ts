import type { ActivityRow } from '../core/activity';
import type { CheckpointRow } from '../core/checkpoint';
import type { EffectRow, EffectState } from '../core/effect';
import type { FolderRow } from '../core/folder';
import type { EffectKey, FolderId, ResultKey, StepKey, TaskId } from '../core/ids';
import type { LeaseRow } from '../core/lease';
import type { PartialRow } from '../core/partial';
import type { Freed } from '../core/ports';
import type { Result } from '../core/result';
import type { ResultRow } from '../core/results';
import type { StepRow, StepStatus, StepType } from '../core/step';
import type { TaskRow } from '../core/task';
import type { RestorableStore } from './journal/restorable-store';

/** What of a store asks for nothing more than that things are in order first. */
export abstract class OrderedCheckpointStore {
  /** Runs `work` on the store behind once things are in order. */
  protected abstract whenInOrder<T>(work: (store: RestorableStore) => Promise<Result<T>>): Promise<Result<T>>;

  task(id: TaskId): Promise<Result<TaskRow | null>> {
    return this.whenInOrder((store) => store.task(id));
  }

  step(id: TaskId, key: StepKey): Promise<Result<StepRow | null>> {
    return this.whenInOrder((store) => store.step(id, key));
  }

  steps(id: TaskId, keys: readonly StepKey[]): Promise<Result<readonly (StepRow | null)[]>> {
    return this.whenInOrder((store) => store.steps(id, keys));
  }

  stepsByStatus(id: TaskId, status: StepStatus, limit: number): Promise<Result<readonly StepRow[]>> {
    return this.whenInOrder((store) => store.stepsByStatus(id, status, limit));
  }

  stepsOfType(id: TaskId, type: StepType, after: StepKey | null, limit: number): Promise<Result<readonly StepRow[]>> {
    return this.whenInOrder((store) => store.stepsOfType(id, type, after, limit));
  }

  stepsSince(id: TaskId, seq: number, limit: number): Promise<Result<readonly StepRow[]>> {
    return this.whenInOrder((store) => store.stepsSince(id, seq, limit));
  }

  result(key: ResultKey): Promise<Result<ResultRow | null>> {
    return this.whenInOrder((store) => store.result(key));
  }

  results(keys: readonly ResultKey[]): Promise<Result<readonly (ResultRow | null)[]>> {
    return this.whenInOrder((store) => store.results(keys));
  }

  activity(id: TaskId, limit: number): Promise<Result<readonly ActivityRow[]>> {
    return this.whenInOrder((store) => store.activity(id, limit));
  }

  lease(id: TaskId): Promise<Result<LeaseRow | null>> {
    return this.whenInOrder((store) => store.lease(id));
  }

  effect(id: TaskId, key: EffectKey): Promise<Result<EffectRow | null>> {
    return this.whenInOrder((store) => store.effect(id, key));
  }

  effectsInState(id: TaskId, state: EffectState, limit: number): Promise<Result<readonly EffectRow[]>> {
    return this.whenInOrder((store) => store.effectsInState(id, state, limit));
  }

  putPartials(id: TaskId, epoch: number, partials: readonly PartialRow[]): Promise<Result<void>> {
    return this.whenInOrder((store) => store.putPartials(id, epoch, partials));
  }

  partial(id: TaskId, request: ResultKey): Promise<Result<PartialRow | null>> {
    return this.whenInOrder((store) => store.partial(id, request));
  }

  partials(id: TaskId): Promise<Result<readonly PartialRow[]>> {
    return this.whenInOrder((store) => store.partials(id));
  }

  checkpoints(id: TaskId, before: number | null, limit: number): Promise<Result<readonly CheckpointRow[]>> {
    return this.whenInOrder((store) => store.checkpoints(id, before, limit));
  }

  folder(id: FolderId): Promise<Result<FolderRow | null>> {
    return this.whenInOrder((store) => store.folder(id));
  }

  freeUnused(wantedBytes: number, nowMs: number): Promise<Result<Freed>> {
    return this.whenInOrder((store) => store.freeUnused(wantedBytes, nowMs));
  }
}
