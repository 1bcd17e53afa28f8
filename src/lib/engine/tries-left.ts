import type { FailureCode } from '../core/failure-codes';
import type { StepRow } from '../core/step';

/** Ends of a try after which nobody knows what the server made of its request. */
const UNHEARD: readonly FailureCode[] = [
  'connect_timeout',
  'first_token_timeout',
  'idle_timeout',
  'request_timeout',
  'stream_cut',
];

/**
 * Numbers of the tries whose answers a server that keeps streams may still be making, likeliest first: the one that was
 * interrupted and is taken up now, and the one before it when that was cut off. To ask anew beside them is to have the same
 * answer made twice, and to wait behind it. Streams of tries that came to an outcome are not among them: what they
 * brought is known, and was no good.
 */
export function triesLeft({ attempts, history }: Pick<StepRow, 'attempts' | 'history'>): readonly number[] {
  const last = history.at(-1)?.outcome;
  const counted = history.findLast(({ outcome }) => outcome === 'failed')?.code ?? null;
  const isSameTry = last === 'interrupted' || last === 'waited';
  const wasCut = attempts > 0 && counted !== null && UNHEARD.includes(counted);
  return [...(isSameTry ? [attempts + 1] : []), ...(wasCut ? [attempts] : [])];
}
