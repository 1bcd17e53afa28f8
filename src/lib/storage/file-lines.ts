import { FailureError } from '../core/failure-error';
import { importUnreadable } from './read-export';

/** A report on tens of thousands of files is far shorter, and a browser can still hold it. */
const MAX_LINE_CHARACTERS = 64 * 1024 * 1024;

/**
 * The lines of a file, without their ends and without a mark of its encoding. Throws `import_unreadable` for a byte that is
 * no UTF-8, and for a line of more than `maxCharacters`, which is never held as a whole.
 */
export async function* linesOf(file: Blob, maxCharacters = MAX_LINE_CHARACTERS): AsyncIterable<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const reader = file.stream().getReader();
  const line = new GrowingLine(maxCharacters);
  try {
    for (;;) {
      const { done, value } = await readable(reader.read(), line.number);
      const text = decoded(decoder, value, line.number);
      let from = 0;
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
        line.add(text.slice(from, end));
        yield line.take();
        from = end + 1;
      }
      line.add(text.slice(from));
      if (done) break;
    }
    if (!line.isEmpty) yield line.take();
  } finally {
    // Whoever has seen enough leaves the rest of it unread.
    await reader.cancel().catch(() => undefined);
  }
}

/** A file may be gone, or have changed, since it was picked. */
function readable<T>(read: Promise<T>, line: number): Promise<T> {
  return read.catch((error: unknown) => {
    throw new FailureError(importUnreadable(line, error instanceof Error ? error.message : String(error)));
  });
}

function decoded(decoder: TextDecoder, bytes: Uint8Array | undefined, line: number): string {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined });
  } catch {
    throw new FailureError(importUnreadable(line, 'not UTF-8'));
  }
}

/** Put together once: pieces that are joined as they come are read anew for each. */
class GrowingLine {
  readonly #maxCharacters: number;
  #pieces: string[] = [];
  #characters = 0;
  #number = 1;

  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters;
  }

  /** Counted from 1. */
  get number(): number {
    return this.#number;
  }

  get isEmpty(): boolean {
    return this.#characters === 0;
  }

  add(piece: string): void {
    this.#characters += piece.length;
    if (this.#characters > this.#maxCharacters) throw new FailureError(importUnreadable(this.#number, 'too long'));
    this.#pieces.push(piece);
  }

  take(): string {
    const text = this.#pieces.join('');
    this.#pieces = [];
    this.#characters = 0;
    this.#number += 1;
    return text.endsWith('\r') ? text.slice(0, -1) : text;
  }
}
