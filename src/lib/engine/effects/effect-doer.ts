import type { EffectKind } from '../../core/effect';
import type { ContentDigest } from '../../core/ids';
import type { Result } from '../../core/result';

/** The target's present state cannot be looked at: a request that was posted, a message that was sent. */
export const UNSEEN = Symbol('unseen');

/** Digest of what the target holds; null when there is nothing. */
export type Seen = ContentDigest | null | typeof UNSEEN;

/** How effects of one kind are looked at and carried out. */
export interface EffectDoer {
  readonly kind: EffectKind;
  /** Effects carried out at once. */
  readonly atOnce: number;
  /** Failures: the target cannot be looked at now, but could be later. What never can be is `UNSEEN`. */
  look(target: string): Promise<Result<Seen>>;
  /**
   * Makes the target hold the payload, whole or not at all where it can be looked at. Resolves to what came back; null is
   * an answer. After a failure it is looked at again, and not taken as undone.
   */
  carryOut(target: string, payload: string): Promise<Result<string | null>>;
}
