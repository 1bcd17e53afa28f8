import type { TaskPatch } from '../core/commit';
import type { Extractor, Model } from '../core/ports';
import type { TaskRow, TaskTokenRatio } from '../core/task';

/** A lower one would have the plan trust an estimate less high than it is meant to be, a higher one is no count of a text. */
const BOUNDS = { least: 1, most: 8 } as const;
/** A ratio that moved by less is no reason to split anything anew. */
const RAISED = 1.05;

type Counting = Pick<Model, 'source' | 'tokenRatio'>;

/** By what one task counts tokens: fixed as it begins with a model, so that a restart splits and asks as before. */
export class TokenCount {
  readonly #base: Extractor;
  #fixed: TaskTokenRatio | undefined;
  #extractor: Extractor;

  constructor(base: Extractor, { tokenRatio }: Pick<TaskRow, 'tokenRatio'>) {
    this.#base = base;
    this.#fixed = tokenRatio;
    this.#extractor = countedBy(base, bounded(tokenRatio?.ratio));
  }

  /** Counts and splits by the model that the task last began with. */
  get extractor(): Extractor {
    return this.#extractor;
  }

  /** The task plans by that model from now on. */
  begin({ source, tokenRatio }: Counting): void {
    if (source !== undefined && source !== this.#fixed?.source) this.#fix(source, bounded(tokenRatio));
  }

  /** A request was refused as too long. True when the model counts more than the task did until now: it does from here. */
  raise({ source, tokenRatio }: Counting): boolean {
    if (source === undefined || source !== this.#fixed?.source) return false;
    const ratio = bounded(tokenRatio);
    if (ratio < bounded(this.#fixed.ratio) * RAISED) return false;
    this.#fix(source, ratio);
    return true;
  }

  /** What the row does not have yet. */
  unsaved({ tokenRatio }: Pick<TaskRow, 'tokenRatio'>): TaskPatch {
    const fixed = this.#fixed;
    const isSaved = tokenRatio?.source === fixed?.source && tokenRatio?.ratio === fixed?.ratio;
    return fixed === undefined || isSaved ? {} : { tokenRatio: fixed };
  }

  #fix(source: string, ratio: number): void {
    this.#fixed = { source, ratio };
    this.#extractor = countedBy(this.#base, ratio);
  }
}

function bounded(ratio: number | null = null): number {
  return Math.min(BOUNDS.most, Math.max(BOUNDS.least, ratio ?? BOUNDS.least));
}

function countedBy(base: Extractor, ratio: number): Extractor {
  if (ratio === 1) return base;
  return {
    refusal: (path) => base.refusal(path),
    extract: (path, bytes) => base.extract(path, bytes),
    split: (text, maxTokens) => base.split(text, Math.max(1, Math.floor(maxTokens / ratio))),
    estimateTokens: (text) => Math.ceil(base.estimateTokens(text) * ratio),
  };
}
