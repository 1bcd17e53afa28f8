import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { plainDigest } from './plain-digest';

it('is SHA-256', async () => {
  const lengths = fc.oneof(fc.constantFrom(0, 1, 54, 55, 56, 63, 64, 65), fc.nat(400));
  await fc.assert(
    fc.asyncProperty(lengths, fc.nat(255), async (length, seed) => {
      const bytes = Uint8Array.from({ length }, (_, n) => (n * 31 + seed * 7) % 256);
      expect(await plainDigest.bytes(bytes)).toBe(createHash('sha256').update(bytes).digest('hex'));
    }),
  );
  expect(await plainDigest.text('文件')).toBe(createHash('sha256').update('文件').digest('hex'));
});
