import { failure } from '../core/failure';
import { fail, ok, type Result } from '../core/result';
import { guessEncodings } from './encoding-guess';
import { isPlausibleText } from './plausibility';
import { encodingName, strictText } from './strict-text';
import { wideEncodingByMark, wideEncodingByPattern } from './utf16';

export interface DecodedText {
  readonly text: string;
  readonly encoding: string;
  readonly guessed: boolean;
}

const UTF8 = 'utf-8';
/** A single flipped bit must not cost the file, nor turn it into another encoding's nonsense. */
const MAX_DAMAGE_SHARE = 0.02;
/** Fewer characters beyond ASCII are no proof that the rest is what it seems. */
const MIN_WHOLE = 4;

/**
 * Bytes to text: byte order mark, else valid UTF-8, else what the file declares, else the pattern of UTF-16, else the
 * likeliest legacy encoding that reads every byte. Damaged UTF-8 and UTF-16 keep a visible U+FFFD for each broken
 * place and count as guessed. Failure: `file_encoding_unknown`.
 */
export function decodeBytes(bytes: Uint8Array, declared: string | null = null): Result<DecodedText> {
  const marked = decodeMarked(bytes);
  if (marked !== undefined) return marked === null ? unknown() : ok(marked);
  const escaped = decodeEscaped(bytes);
  if (escaped !== null) return ok(escaped);
  const wide = wideEncodingByPattern(bytes);
  if (wide !== null) {
    const text = strictText(bytes, wide);
    return text === null ? unknown(wide) : ok({ text, encoding: wide, guessed: true });
  }
  const utf8 = strictText(bytes, UTF8);
  if (utf8 !== null) return ok({ text: utf8, encoding: UTF8, guessed: false });
  const told = declared === null ? null : decodeDeclared(bytes, declared);
  if (told !== null) return ok(told);
  const damaged = decodeDamaged(bytes, UTF8);
  if (damaged !== null) return ok(damaged);
  for (const encoding of guessEncodings(bytes)) {
    const text = strictText(bytes, encoding);
    if (text !== null && isPlausibleText(text)) return ok({ text, encoding, guessed: true });
  }
  return unknown();
}

function unknown(encoding?: string): Result<never> {
  return fail(failure('file_encoding_unknown', { details: encoding === undefined ? {} : { encoding } }));
}

/** Undefined without a mark, null when what follows the mark is not what it says. */
function decodeMarked(bytes: Uint8Array): DecodedText | null | undefined {
  const isUtf8 = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const encoding = isUtf8 ? UTF8 : wideEncodingByMark(bytes);
  if (encoding === null) return undefined;
  const text = strictText(bytes, encoding);
  return text === null ? decodeDamaged(bytes, encoding) : { text, encoding, guessed: false };
}

/** ISO-2022-JP is seven bits wide, hence valid UTF-8; only its escape sequences tell it. */
function decodeEscaped(bytes: Uint8Array): DecodedText | null {
  const at = bytes.indexOf(0x1b);
  if (at < 0 || bytes[at + 1] !== 0x24 || (bytes[at + 2] !== 0x42 && bytes[at + 2] !== 0x40)) return null;
  const text = strictText(bytes, 'iso-2022-jp');
  return text === null ? null : { text, encoding: 'iso-2022-jp', guessed: true };
}

function decodeDeclared(bytes: Uint8Array, label: string): DecodedText | null {
  const encoding = encodingName(label);
  // A declaration that could be read byte by byte cannot be UTF-16.
  if (encoding === null || encoding.startsWith('utf-16')) return null;
  const text = strictText(bytes, encoding);
  return text === null ? null : { text, encoding, guessed: false };
}

function decodeDamaged(bytes: Uint8Array, encoding: string): DecodedText | null {
  if (encodingName(encoding) === null) return null;
  const text = new TextDecoder(encoding).decode(bytes);
  const broken = text.match(/\ufffd{1,4}/g)?.length ?? 0;
  const whole = text.match(/[^\0-\x7f\ufffd]/gu)?.length ?? 0;
  const tolerable = whole >= MIN_WHOLE && broken <= Math.max(1, whole * MAX_DAMAGE_SHARE);
  return tolerable ? { text, encoding, guessed: true } : null;
}
