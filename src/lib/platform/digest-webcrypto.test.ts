import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createDigest, DIGEST_CHUNK_BYTES, InsecureContextError } from './digest-webcrypto';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
const patterned = (length: number) => Uint8Array.from({ length }, (_, index) => (index * 31) % 251);

describe('createDigest', () => {
  test('up to one chunk it is the SHA-256 of the bytes', async () => {
    for (const length of [0, 1, 1000, DIGEST_CHUNK_BYTES]) {
      const bytes = patterned(length);
      expect(await createDigest().bytes(bytes)).toBe(sha256(bytes).toString('hex'));
    }
  });

  test('beyond one chunk it is the SHA-256 over the digests of the chunks', async () => {
    const bytes = patterned(2 * DIGEST_CHUNK_BYTES + 5);
    const chunks = [0, 1, 2].map((n) => sha256(bytes.subarray(n * DIGEST_CHUNK_BYTES, (n + 1) * DIGEST_CHUNK_BYTES)));
    expect(await createDigest().bytes(bytes)).toBe(sha256(Buffer.concat(chunks)).toString('hex'));
  });

  test('bytes are those of the view, not of the buffer below it', async () => {
    const view = patterned(100).subarray(10, 20);
    expect(await createDigest().bytes(view)).toBe(sha256(view).toString('hex'));
  });

  test('text is hashed in UTF-8', async () => {
    expect(await createDigest().text('会议纪要 ✓')).toBe(sha256(Buffer.from('会议纪要 ✓', 'utf8')).toString('hex'));
  });

  test('without crypto.subtle it says so at once', () => {
    const { subtle } = globalThis.crypto;
    Object.defineProperty(globalThis.crypto, 'subtle', { value: undefined, configurable: true });
    try {
      expect(() => createDigest()).toThrow(InsecureContextError);
    } finally {
      Object.defineProperty(globalThis.crypto, 'subtle', { value: subtle, configurable: true });
    }
  });
});
