const FLUSH_BYTES = 4 * 1024 * 1024;

/** Appends many small pieces to one file in few, large writes. Nothing is to be seen of it before `close`. */
export class PackWriter {
  readonly #writable: FileSystemWritableFileStream;
  #flushed = 0;
  #waiting: Uint8Array<ArrayBuffer>[] = [];
  #waitingBytes = 0;

  constructor(writable: FileSystemWritableFileStream) {
    this.#writable = writable;
  }

  get position(): number {
    return this.#flushed + this.#waitingBytes;
  }

  async append(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes >= FLUSH_BYTES) await this.#flush();
  }

  /** Forgets what was appended since the position was `position`. */
  async goBackTo(position: number): Promise<void> {
    await this.#flush();
    await this.#writable.truncate(position);
    this.#flushed = position;
  }

  async close(): Promise<void> {
    await this.#flush();
    await this.#writable.close();
  }

  /** A stream that failed by itself is closed already and says so. */
  async abort(): Promise<void> {
    await this.#writable.abort().catch(() => undefined);
  }

  async #flush(): Promise<void> {
    if (this.#waitingBytes > 0) await this.#writable.write(new Blob(this.#waiting));
    this.#flushed += this.#waitingBytes;
    this.#waiting = [];
    this.#waitingBytes = 0;
  }
}
