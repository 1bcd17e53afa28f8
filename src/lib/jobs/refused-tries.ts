import type { StepRow } from '../core/step';

/** How much less the next try reads at once. Few tries are left, and a server that tells no limit may be far off. */
const SHRINK = 4;

/**
 * How many times smaller the pieces of this try must be. The first refusal as too long teaches the server's limit; when
 * requests planned by it are refused still, the text has more tokens than estimated, and is read in ever smaller pieces.
 */
export function shrinkOf(step: Pick<StepRow, 'attempts' | 'history'>): number {
  const counted = step.history.filter(({ outcome }) => outcome === 'failed').slice(-Math.max(step.attempts, 1));
  if (step.attempts === 0) return 1;
  const refused = counted.filter(({ code }) => code === 'context_overflow' || code === 'max_tokens_too_large').length;
  return SHRINK ** Math.max(0, refused - 1);
}
