import type { ContentDigest, EffectKey, StepKey, TaskId } from './ids';

/**
 * `intended`: written down, and perhaps carried out. `done`: carried out. `in_doubt`: nobody can tell whether it was.
 * `contested`: somebody else has changed the target. Both wait for the person. `approved`: the person said to do it, and
 * nothing was done since. `abandoned`: not carried out, and not to be.
 */
export type EffectState = 'intended' | 'done' | 'in_doubt' | 'contested' | 'approved' | 'abandoned';

export const EFFECT_STATES: readonly EffectState[] = [
  'intended',
  'done',
  'in_doubt',
  'contested',
  'approved',
  'abandoned',
];

/** Names what carries an effect out. Open: whoever brings a way to change the world brings its name. */
export type EffectKind = string;

/** A file below `talaria/` of the task's folder is replaced. */
export const FOLDER_WRITE: EffectKind = 'folder_write';

/** What an effect changes, as a person finds it: from the task's folder on where it is a file there. */
export function placeOf({ kind, target }: Pick<EffectRow, 'kind' | 'target'>): string {
  return kind === FOLDER_WRITE ? `talaria/${target}` : target;
}

/** Something that a task does to the world outside its rows: what was meant before it was done, and what became of it. */
export interface EffectRow {
  readonly v: 1;
  readonly taskId: TaskId;
  /** Idempotency key: the same for every attempt, see `EffectKey`. */
  readonly key: EffectKey;
  /** The commit that last wrote this row. Set by the store. */
  readonly seq: number;
  readonly kind: EffectKind;
  /** The step that it belongs to; null when it is the task's own. */
  readonly stepKey: StepKey | null;
  /** What is changed: for `folder_write` a path under `talaria/` of the folder. */
  readonly target: string;
  /** The how-many-th change of that target by that step this is, from 1. */
  readonly nth: number;
  /** What the target may hold for the effect to be carried out; null when nothing. */
  readonly before: ContentDigest | null;
  /** What it is to hold. Another payload under the same key is a failure, not a second effect. */
  readonly after: ContentDigest;
  /** What it held when the person had to be asked; null when nothing, or when it cannot be looked at. */
  readonly found: ContentDigest | null;
  readonly state: EffectState;
  /** What came back from it; null is an answer as good as any. */
  readonly result: string | null;
  readonly intendedMs: number;
  readonly settledMs: number | null;
}

/** What the person can say of a contested effect (`overwrite`, `keep`) and of one in doubt (`sent`, `again`, `skip`). */
export type EffectAnswer = 'overwrite' | 'keep' | 'sent' | 'again' | 'skip';

/**
 * What the person was asked: of which effect, and by which commit. What is found in its place later is another question,
 * of which they know nothing.
 */
export type EffectQuestion = Pick<EffectRow, 'key' | 'seq'>;

export const WAITING_STATES: readonly EffectState[] = ['contested', 'in_doubt'];
