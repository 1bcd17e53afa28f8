import { describe, expect, it } from 'vitest';
import { codeOf, valueOf } from './checkpoint-store.conformance';
import { KeyVault } from './key-vault';
import { MemoryWrappingKeys } from './profile-store-memory';

describe('KeyVault', () => {
  it('gives a key back, and a different cipher each time', async () => {
    const vault = new KeyVault(new MemoryWrappingKeys());
    const one = valueOf(await vault.seal('endpoint-1', 'sk-密钥'));
    const two = valueOf(await vault.seal('endpoint-1', 'sk-密钥'));
    expect(valueOf(await vault.unseal('endpoint-1', one))).toBe('sk-密钥');
    expect(Buffer.from(one.cipher).equals(Buffer.from(two.cipher))).toBe(false);
    expect(Buffer.from(one.cipher).toString('latin1')).not.toContain('sk-');
  });

  it('seals with a key that cannot be read out', async () => {
    const keys = new MemoryWrappingKeys();
    valueOf(await new KeyVault(keys).seal('endpoint-1', 'sk-1'));
    const wrapping = valueOf(await keys.get());
    expect(wrapping?.extractable).toBe(false);
    await expect(crypto.subtle.exportKey('raw', wrapping ?? ({} as CryptoKey))).rejects.toThrow();
  });

  it('does not open what was sealed for another profile, with another wrapping key, or changed', async () => {
    const vault = new KeyVault(new MemoryWrappingKeys());
    const sealed = valueOf(await vault.seal('endpoint-1', 'sk-1'));
    const other = new KeyVault(new MemoryWrappingKeys());
    valueOf(await other.seal('endpoint-1', 'sk-2'));
    const changed = new Uint8Array(sealed.cipher.slice(0));
    changed[0] = (changed[0] ?? 0) ^ 1;
    expect(codeOf(await vault.unseal('endpoint-2', sealed))).toBe('key_unavailable');
    expect(codeOf(await other.unseal('endpoint-1', sealed))).toBe('key_unavailable');
    expect(codeOf(await vault.unseal('endpoint-1', { ...sealed, cipher: changed.buffer }))).toBe('key_unavailable');
    expect(codeOf(await new KeyVault(new MemoryWrappingKeys()).unseal('endpoint-1', sealed))).toBe('key_unavailable');
  });

  it('refuses where there is no WebCrypto', async () => {
    const sealed = valueOf(await new KeyVault(new MemoryWrappingKeys()).seal('endpoint-1', 'sk-1'));
    const insecure = new KeyVault(new MemoryWrappingKeys(), {});
    expect(codeOf(await insecure.seal('endpoint-1', 'sk-1'))).toBe('key_unavailable');
    expect(codeOf(await insecure.unseal('endpoint-1', sealed))).toBe('key_unavailable');
  });
});
