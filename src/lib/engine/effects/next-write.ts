import type { EffectRow } from '../../core/effect';
import type { ContentDigest } from '../../core/ids';
import type { Seen } from './effect-doer';
import type { WrittenFile } from './output-history';

/** What to do about a file: `null` when it needs no writing. */
export interface NextWrite {
  readonly nth: number;
  readonly before: ContentDigest | null;
  /** An earlier change that this one takes the place of, as it ended. */
  readonly superseded: EffectRow | null;
}

interface Meant {
  readonly after: ContentDigest;
  readonly seen: Seen;
  /** The file is of a time before there was a ledger: what is there is taken for ours. */
  readonly isBeforeLedger: boolean;
  readonly nowMs: number;
}

/**
 * The change of a file that is due, given what was written before. Content that was written once is not written again
 * while anything is there, whoever changed it since: nothing of ours is new. Other content is the next change; one that
 * was still under way is looked at first, and ended as done or as never done.
 */
export function nextWrite(file: WrittenFile | null, { after, seen, isBeforeLedger, nowMs }: Meant): NextWrite | null {
  if (file === null) {
    const before = isBeforeLedger && typeof seen === 'string' ? seen : null;
    return { nth: 1, before, superseded: null };
  }
  const { last, ours } = file;
  const nth = last.nth + 1;
  const isSettled = last.state === 'done' || last.state === 'abandoned';
  if (last.after === after) {
    if (!isSettled) return { nth: last.nth, before: last.before, superseded: null };
    return seen === null ? { nth, before: null, superseded: null } : null;
  }
  if (isSettled) return { nth, before: ours, superseded: null };
  const isDone = seen === last.after;
  const superseded: EffectRow = { ...last, state: isDone ? 'done' : 'abandoned', settledMs: nowMs };
  if (isDone) return { nth, before: last.after, superseded };
  // What the person allowed to be written over may be written over by what has come of the output since.
  const isFree = last.state === 'intended' || last.state === 'approved';
  return { nth, before: isFree ? last.before : ours, superseded };
}
