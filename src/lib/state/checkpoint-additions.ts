import type { CheckpointRow } from '../core/checkpoint';
import { settled } from '../core/counts';
import { isSettled, type StepRow } from '../core/step';

/** What one checkpoint has that the one before it had not, as far as the steps of now tell. */
export interface Addition {
  /** Steps that came to their end with it. */
  readonly ended: readonly StepRow[];
  /** Steps of the report that it planned. */
  readonly planned: number;
  /** Files that it found, and files that came to their end with it. */
  readonly found: number;
  readonly finished: number;
  /** Finished steps that it took back, to be done again. */
  readonly takenBack: number;
}

/** `steps`: those that were last written at or after the checkpoint. `before`: the checkpoint that it followed. */
export function additionOf(
  { seq, counts, replaced }: Pick<CheckpointRow, 'seq' | 'counts' | 'replaced'>,
  before: Pick<CheckpointRow, 'counts'> | null,
  steps: readonly StepRow[],
): Addition {
  const grown = (now: number, earlier: number | undefined) => Math.max(0, now - (earlier ?? 0));
  return {
    ended: steps.filter((step) => step.seq === seq && isSettled(step.status)),
    planned: steps.filter(({ addedSeq, type }) => addedSeq === seq && type !== 'file').length,
    found: grown(counts.planned, before?.counts.planned),
    takenBack: replaced.length,
    finished: grown(settled(counts), before ? settled(before.counts) : undefined),
  };
}
