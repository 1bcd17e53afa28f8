import type { Begun } from '../../core/partial';

/**
 * The name of the stream of a try. One that continues an answer is named by that too: whoever finds it must know what
 * its text goes on from.
 */
export function streamName(id: string, kept: Begun | null): string {
  return kept === null ? id : `${id}-after-${String(kept.content.length)}-${fingerprint(kept.content)}`;
}

/** FNV-1a over the UTF-16 units: two texts of one request and one length are told apart, and nobody is kept out. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}
