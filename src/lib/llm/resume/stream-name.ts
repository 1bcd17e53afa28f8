import { fingerprint } from '../../core/fingerprint';
import type { Begun } from '../../core/partial';

/**
 * The name of the stream of a try. One that continues an answer is named by that too: whoever finds it must know what
 * its text goes on from.
 */
export function streamName(id: string, kept: Begun | null): string {
  return kept === null ? id : `${id}-after-${String(kept.content.length)}-${fingerprint(kept.content)}`;
}
