import type { Failure } from '../core/failure';
import type { InputHash, ResultKey, StepKey } from '../core/ids';
import type { FinishReason, InputCut, ModelRequest } from '../core/model';
import type { CheckpointStore, Digest, Extractor, Folder } from '../core/ports';
import type { Result } from '../core/result';
import type { ResultRow } from '../core/results';
import type { Continuation, Saved } from '../core/saved';
import type { FileFingerprint, Reading, StepFlags, StepRow, StepType } from '../core/step';
import type { TaskRow } from '../core/task';
import type { Usage } from '../core/usage';

/** An answer, asked for now or found among the stored ones. */
export interface Inference {
  readonly text: string;
  readonly inputHash: InputHash;
  readonly resultKey: ResultKey;
  readonly finishReason: FinishReason;
  /** Nothing for a reused answer: it was paid for before. */
  readonly usage: Usage;
  /** How it outlived an interruption; null when it had not to, or was reused. */
  readonly continuation: Continuation | null;
  readonly reused: boolean;
  /** The answer is to a part of the prompt only. */
  readonly inputCut?: InputCut;
  /** To be committed with the step that points at it. */
  readonly row: ResultRow;
  /** In what it does not fit the schema that was asked for; absent when it does. */
  readonly unmet?: string;
}

/** What a finished step contributes to its row. */
export interface StepDone {
  readonly ok: true;
  readonly inputHash: InputHash;
  readonly result: ResultRow;
  readonly usage: Usage;
  /** Requests answered now, and answers found stored. */
  readonly requests: number;
  readonly reusedRequests: number;
  /** What interruptions of these answers did not cost. */
  readonly saved: Saved;
  readonly flags: StepFlags;
  readonly file: FileFingerprint | null;
  readonly reading: Reading | null;
}

export interface StepFailed {
  readonly ok: false;
  readonly failure: Failure;
  readonly file: FileFingerprint | null;
  readonly reading: Reading | null;
  readonly usage: Usage;
  readonly requests: number;
  readonly reusedRequests: number;
  /** An answer that could not be used, kept for the person to look at. */
  readonly result?: ResultRow;
  /** What interruptions of these answers did not cost. */
  readonly saved: Saved;
}

export type StepOutcome = StepDone | StepFailed;

export interface JobContext {
  readonly task: TaskRow;
  readonly store: CheckpointStore;
  readonly digest: Digest;
  readonly extractor: Extractor;
  /** Tokens that prompt and answer together may have. */
  readonly contextTokens: number;
  readonly modelIdentity: string;
}

export interface StepContext extends JobContext {
  readonly folder: Folder;
  readonly signal: AbortSignal;
  /** What fails now fails for good. */
  readonly isLastTry: boolean;
  /** Asks once for equal requests: from storage, from a sibling in flight, or from the model. */
  infer(request: ModelRequest): Promise<Result<Inference>>;
  /** Saves a piece of this step's work as a step of its own, so that a kill loses less. */
  savePart(index: number, inference: Inference): void;
  /** No answer that is not saved by now will be: others may ask in its place. */
  dropUnsaved(): void;
}

export interface DerivedStep {
  readonly key: StepKey;
  readonly type: StepType;
  readonly level: number;
  readonly inputs: readonly StepKey[];
}

/** The steps that must be there next, and those that no longer belong. */
export interface NextWave {
  /** Every step that the report is made of is done. */
  readonly isComplete: boolean;
  readonly add: readonly DerivedStep[];
  readonly remove: readonly StepRow[];
  /** Steps of the tree that failed for good; the report cannot be made without them. */
  readonly failed: readonly StepRow[];
}

/** What a kind of task knows how to do. Deterministic given its context; holds no state of its own. */
export interface Job {
  run(step: StepRow, context: StepContext): Promise<StepOutcome>;
  next(context: JobContext): Promise<Result<NextWave>>;
  report(context: JobContext): Promise<Result<string>>;
  /** The files to write under `talaria/<path>/`, one after another. */
  output(context: JobContext, report: string): AsyncIterable<OutputFile>;
}

export interface OutputFile {
  readonly path: string;
  readonly content: string;
}
