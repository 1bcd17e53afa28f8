import type { ContentDigest, EffectKey, StepKey, TaskId } from './ids';

/**
 * `intended`: written down, and perhaps carried out. `done`: carried out. `in_doubt`: nobody can tell; the person decides.
 * `abandoned`: not carried out, and not to be.
 */
export type EffectState = 'intended' | 'done' | 'in_doubt' | 'abandoned';

export const EFFECT_STATES: readonly EffectState[] = ['intended', 'done', 'in_doubt', 'abandoned'];

/** Something that a task does to the world outside its rows: what was meant before it was done, and what became of it. */
export interface EffectRow {
  readonly v: 1;
  readonly taskId: TaskId;
  /** Idempotency key: the same for every attempt, see `EffectKey`. */
  readonly key: EffectKey;
  /** The commit that last wrote this row. Set by the store. */
  readonly seq: number;
  readonly kind: 'folder_write';
  /** The step that it belongs to; null when it is the task's own. */
  readonly stepKey: StepKey | null;
  /** What is changed: a path under `talaria/` of the folder. */
  readonly target: string;
  /** What the target held when the effect was intended; null when it was not there. */
  readonly before: ContentDigest | null;
  /** What it is to hold. Another payload under the same key is a failure, not a second effect. */
  readonly after: ContentDigest;
  readonly state: EffectState;
  readonly intendedMs: number;
  readonly settledMs: number | null;
}
