import { binaryKindByMagic } from './magic-numbers';
import { wideEncodingByMark, wideEncodingByPattern } from './utf16';

/** Real text has no control bytes but a stray one; compressed or compiled bytes have about one in nine. */
const MAX_CONTROL_SHARE = 0.02;
const UTF8_MARK = [0xef, 0xbb, 0xbf];

/**
 * What kind of binary these bytes are, `data` when no format is known; null for text. By content alone, since names
 * lie. UTF-16 and UTF-32 are text, though half of their bytes may be NUL.
 */
export function sniffBinary(bytes: Uint8Array): string | null {
  const kind = binaryKindByMagic(bytes);
  if (kind !== null) return kind;
  if (UTF8_MARK.every((byte, index) => bytes[index] === byte)) return null;
  if (wideEncodingByMark(bytes) !== null || wideEncodingByPattern(bytes) !== null) return null;
  let controls = 0;
  for (const byte of bytes) if (isControl(byte)) controls += 1;
  return controls > bytes.length * MAX_CONTROL_SHARE ? 'data' : null;
}

/** Tab, line ends, form feed, backspace and escape occur in logs of terminals. */
function isControl(byte: number): boolean {
  return (byte < 0x20 && !(byte >= 0x08 && byte <= 0x0d) && byte !== 0x1b) || byte === 0x7f;
}
