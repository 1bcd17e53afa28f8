const LF = 10;
const CR = 13;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/**
 * Counts the bytes of an event stream: where each of its blank lines ends, however the bytes are cut and whatever the
 * lines end in. Lines are told apart before characters are decoded, so the count is of what came over the wire.
 */
export class EventBounds {
  /** Ends of blank lines from the `#forgotten`th on; the 0th is where the stream begins. */
  readonly #ends: number[];
  #forgotten = 0;
  #offset: number;
  #lineBytes = 0;
  #isAfterCr = false;
  #isBlankCr = false;
  #markBytes: number;

  /** `offset`: bytes of the stream before the first that is pushed. */
  constructor(offset = 0) {
    this.#offset = offset;
    this.#ends = [offset];
    this.#markBytes = offset === 0 ? 0 : BYTE_ORDER_MARK.length;
  }

  push(bytes: Uint8Array): void {
    for (const byte of bytes) {
      this.#offset += 1;
      if (this.#isOfMark(byte)) continue;
      if (byte === LF && this.#isAfterCr) {
        if (this.#isBlankCr) this.#ends[this.#ends.length - 1] = this.#offset;
        this.#isAfterCr = false;
      } else if (byte === LF || byte === CR) this.#endLine(byte === CR);
      else {
        this.#lineBytes += 1;
        this.#isAfterCr = false;
      }
    }
  }

  /** Of the event that the `nth` blank line ends: where its lines begin and end. What was before it is forgotten. */
  of(nth: number): { readonly from: number; readonly end: number } {
    const at = nth - this.#forgotten;
    const from = this.#ends[at - 1] ?? this.#offset;
    const end = this.#ends[at] ?? this.#offset;
    this.#ends.splice(0, at);
    this.#forgotten = nth;
    return { from, end };
  }

  #endLine(isCr: boolean): void {
    this.#isBlankCr = isCr && this.#lineBytes === 0;
    if (this.#lineBytes === 0) this.#ends.push(this.#offset);
    this.#lineBytes = 0;
    this.#isAfterCr = isCr;
  }

  /** A mark at the very beginning is of the encoding, and of no line. */
  #isOfMark(byte: number): boolean {
    if (this.#markBytes >= BYTE_ORDER_MARK.length) return false;
    if (byte !== BYTE_ORDER_MARK[this.#markBytes]) {
      this.#lineBytes += this.#markBytes;
      this.#markBytes = BYTE_ORDER_MARK.length;
      return false;
    }
    this.#markBytes += 1;
    return true;
  }
}
