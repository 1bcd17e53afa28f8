import type { EffectState } from '../../core/effect';
import type { ContentDigest } from '../../core/ids';
import { UNSEEN, type Seen } from './effect-doer';

/** `settled`: nothing to do any more. `done`: it is carried out. `do`: carry it out now. The others wait for the person. */
export type Decision = 'settled' | 'done' | 'do' | 'ask' | 'in_doubt';

interface Known {
  /** `new`: nothing was written down yet. */
  readonly state: EffectState | 'new';
  readonly before: ContentDigest | null;
  readonly after: ContentDigest;
  readonly seen: Seen;
}

/** When the target cannot be looked at: only what was surely not begun is carried out. */
const UNLOOKED: Readonly<Record<Known['state'], Decision>> = {
  new: 'do',
  approved: 'do',
  intended: 'in_doubt',
  in_doubt: 'in_doubt',
  contested: 'ask',
  done: 'settled',
  abandoned: 'settled',
};

/**
 * What to do about an effect, given what is written down and what its target holds. A target that is gone holds nothing
 * that could be lost. Anything else that is neither what was before nor what is meant to be there is somebody else's.
 */
export function decide({ state, before, after, seen }: Known): Decision {
  if (state === 'done' || state === 'abandoned') return 'settled';
  if (seen === UNSEEN) return UNLOOKED[state];
  if (seen === after) return 'done';
  return seen === null || seen === before ? 'do' : 'ask';
}
