import { contentDigest, inputHash } from '../core/ids';
import type { Digest } from '../core/ports';

/** SHA-256 that is there at once, in Node as in a browser: time in tests passes only where they let it. */
export const plainDigest: Digest = {
  bytes: (bytes) => Promise.resolve(contentDigest(sha256(bytes))),
  text: (text) => Promise.resolve(inputHash(sha256(new TextEncoder().encode(text)))),
};

const primes = firstPrimes(64);
const ROUND_WORDS = primes.map((prime) => fraction(Math.cbrt(prime)));
const START = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

function sha256(bytes: Uint8Array): string {
  const state = Uint32Array.from(START);
  const blocks = padded(bytes);
  const words = new Uint32Array(64);
  for (let at = 0; at < blocks.byteLength; at += 64) {
    for (let n = 0; n < 16; n += 1) words[n] = blocks.getUint32(at + n * 4);
    mixBlock(state, words);
  }
  return [...state].map((word) => word.toString(16).padStart(8, '0')).join('');
}

function mixBlock(state: Uint32Array, words: Uint32Array): void {
  const word = (n: number) => words[n] ?? 0;
  for (let n = 16; n < 64; n += 1) {
    const s0 = turned(word(n - 15), 7) ^ turned(word(n - 15), 18) ^ (word(n - 15) >>> 3);
    const s1 = turned(word(n - 2), 17) ^ turned(word(n - 2), 19) ^ (word(n - 2) >>> 10);
    words[n] = word(n - 16) + s0 + word(n - 7) + s1;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let n = 0; n < 64; n += 1) {
    const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const first = (h + s1 + ((e & f) ^ (~e & g)) + (ROUND_WORDS[n] ?? 0) + word(n)) | 0;
    const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((value, n) => (state[n] = (state[n] ?? 0) + value));
}

function padded(bytes: Uint8Array): DataView {
  const view = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 9) / 64) * 64));
  new Uint8Array(view.buffer).set(bytes);
  view.setUint8(bytes.length, 0x80);
  view.setUint32(view.byteLength - 4, bytes.length * 8);
  return view;
}

function turned(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

function fraction(value: number): number {
  return ((value - Math.floor(value)) * 2 ** 32) >>> 0;
}

function firstPrimes(count: number): readonly number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n += 1) if (found.every((prime) => n % prime !== 0)) found.push(n);
  return found;
}
