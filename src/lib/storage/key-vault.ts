import { failure } from '../core/failure';
import { fail, ok, type Result } from '../core/result';

/** A key as it is stored. Readable only with the wrapping key, which never leaves the browser. */
export interface SealedKey {
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly cipher: ArrayBuffer;
}

/** Where the wrapping key lives. */
export interface WrappingKeys {
  get(): Promise<Result<CryptoKey | null>>;
  /** Keeps `made` unless there is one already; resolves to the one that is kept. Two tabs then agree. */
  keep(made: CryptoKey): Promise<Result<CryptoKey>>;
}

const ALGORITHM = 'AES-GCM';
const IV_BYTES = 12;

/**
 * Encrypts keys with a wrapping key that no script can read out. The owner's id is bound in, so that a cipher moved to
 * another profile does not open. Nothing is ever kept in plain: without WebCrypto (a page that is not served over
 * https or from localhost) the failure is `key_unavailable`.
 */
export class KeyVault {
  readonly #keys: WrappingKeys;
  readonly #subtle: SubtleCrypto | undefined;

  constructor(keys: WrappingKeys, crypto: { readonly subtle?: SubtleCrypto } = globalThis.crypto) {
    this.#keys = keys;
    this.#subtle = crypto.subtle;
  }

  async seal(owner: string, key: string): Promise<Result<SealedKey>> {
    const subtle = this.#subtle;
    if (subtle === undefined) return unavailable(owner, 'no WebCrypto here');
    const wrapping = await this.#wrappingKey(subtle);
    if (!wrapping.ok) return wrapping;
    const iv = globalThis.crypto.getRandomValues(new Uint8Array(IV_BYTES));
    const cipher = await subtle.encrypt(parameters(iv, owner), wrapping.value, new TextEncoder().encode(key));
    return ok({ iv, cipher });
  }

  async unseal(owner: string, sealed: SealedKey): Promise<Result<string>> {
    const subtle = this.#subtle;
    if (subtle === undefined) return unavailable(owner, 'no WebCrypto here');
    const wrapping = await this.#keys.get();
    if (!wrapping.ok) return wrapping;
    if (wrapping.value === null) return unavailable(owner, 'the wrapping key is gone');
    try {
      const plain = await subtle.decrypt(parameters(sealed.iv, owner), wrapping.value, sealed.cipher);
      return ok(new TextDecoder().decode(plain));
    } catch {
      return unavailable(owner, 'sealed with another wrapping key, or damaged');
    }
  }

  async #wrappingKey(subtle: SubtleCrypto): Promise<Result<CryptoKey>> {
    const found = await this.#keys.get();
    if (!found.ok) return found;
    if (found.value !== null) return ok(found.value);
    return this.#keys.keep(await subtle.generateKey({ name: ALGORITHM, length: 256 }, false, ['encrypt', 'decrypt']));
  }
}

function parameters(iv: Uint8Array<ArrayBuffer>, owner: string): AesGcmParams {
  return { name: ALGORITHM, iv, additionalData: new TextEncoder().encode(owner) };
}

function unavailable(owner: string, message: string): Result<never> {
  return fail(failure('key_unavailable', { message, details: { endpoint: owner } }));
}
