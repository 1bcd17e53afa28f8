import type { CheckpointRow } from '../../core/checkpoint';
import type { EffectState } from '../../core/effect';
import type { FaultPoint } from '../../core/fault-points';
import type { ResultKey, StepKey } from '../../core/ids';

/** A finished step as one can see it: the commit that finished it, and its result. */
export interface FinishedStep {
  readonly key: StepKey;
  readonly seq: number;
  readonly resultKey: ResultKey | null;
}

/** What one run of the throwaway task left. */
export interface RunEvidence {
  /** Where its worker was ended; null for the run that nobody disturbed. */
  readonly point: FaultPoint | null;
  /** Workers that really ended. */
  readonly stops: number;
  readonly durationMs: number;
  readonly report: string;
  /** Files in the task's output folder, by path. */
  readonly written: Readonly<Record<string, string>>;
  readonly finishedBefore: readonly FinishedStep[];
  readonly finishedAfter: readonly FinishedStep[];
  /** Model requests whose answers were saved. */
  readonly requests: number;
  /** Finished files that were asked about again. */
  readonly repeated: number;
  readonly effects: Readonly<Record<EffectState, number>>;
  /** Checkpoints whose counts are not those of the steps as of then. */
  readonly wrongCheckpoints: readonly number[];
  readonly checkpoints: number;
}

export interface ForkEvidence {
  readonly durationMs: number;
  /** The parent's rows before and after, as text. */
  readonly parentBefore: string;
  readonly parentAfter: string;
  readonly report: string;
  readonly parentReport: string;
  /** Requests that the fork sent: it began with every file finished. */
  readonly requests: number;
}

export interface CrowdEvidence {
  readonly durationMs: number;
  readonly workers: number;
  /** How often the task changed hands once all of them pressed continue. */
  readonly owners: number;
  readonly run: RunEvidence;
}

export interface Evidence {
  readonly undisturbed: RunEvidence;
  readonly disturbed: readonly RunEvidence[];
  readonly fork: ForkEvidence;
  readonly crowd: CrowdEvidence;
}

export type Counted = Pick<CheckpointRow['counts'], 'planned' | 'done' | 'reused' | 'failed' | 'skipped'>;
