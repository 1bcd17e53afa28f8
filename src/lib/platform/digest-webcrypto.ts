import { contentDigest, inputHash } from '../core/ids';
import type { Digest } from '../core/ports';

/** `crypto.subtle` takes a whole buffer at once: the chunk is what bounds its memory. Part of what a digest means. */
export const DIGEST_CHUNK_BYTES = 4 * 1024 * 1024;

/** The page was not served over https or from localhost. The composition root turns it into `insecure_context`. */
export class InsecureContextError extends Error {
  override readonly name = 'InsecureContextError';
}

/** @throws {InsecureContextError} where the browser withholds `crypto.subtle` */
export function createDigest(subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle): Digest {
  if (!subtle)
    throw new InsecureContextError('crypto.subtle is missing: the page must come over https or from localhost');
  const sha256 = async (bytes: Uint8Array<ArrayBuffer>) => new Uint8Array(await subtle.digest('SHA-256', bytes));
  return {
    async bytes(bytes) {
      if (bytes.length <= DIGEST_CHUNK_BYTES) return contentDigest(hex(await sha256(bytes)));
      const digests: Uint8Array[] = [];
      for (let at = 0; at < bytes.length; at += DIGEST_CHUNK_BYTES) {
        digests.push(await sha256(bytes.subarray(at, at + DIGEST_CHUNK_BYTES)));
      }
      return contentDigest(hex(await sha256(joined(digests))));
    },
    async text(text) {
      return inputHash(hex(await sha256(new TextEncoder().encode(text))));
    },
  };
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
