import type { ExtractedText } from '../core/extraction';
import { ok, type Result } from '../core/result';
import { decodeBytes } from './encoding';
import { normaliseText } from './normal-text';

/** One file format. Text formats are made by `textReader`; containers bring their own `read`. */
export interface Reader {
  readonly format: string;
  /** Lower case, without dot. */
  readonly extensions: readonly string[];
  /** True for formats whose bytes are not text: the binary check is theirs. */
  readonly container?: boolean;
  read(bytes: Uint8Array<ArrayBuffer>): Promise<Result<ExtractedText>>;
}

export interface TextFormat {
  readonly format: string;
  readonly extensions: readonly string[];
  /** From decoded and normalised text to what a model reads. Never throws, never loses what is written. */
  readonly render?: (text: string) => string;
  /** The encoding that the file itself names, for bytes that are not UTF-8. */
  readonly declaredCharset?: (bytes: Uint8Array) => string | null;
}

export function textReader({ format, extensions, render = verbatim, declaredCharset }: TextFormat): Reader {
  return {
    format,
    extensions,
    async read(bytes) {
      const decoded = decodeBytes(bytes, declaredCharset?.(bytes) ?? null);
      if (!decoded.ok) return decoded;
      const { text, encoding, guessed } = decoded.value;
      return ok({ text: render(normaliseText(text)), format, encoding, guessedEncoding: guessed });
    },
  };
}

function verbatim(text: string): string {
  return text;
}
