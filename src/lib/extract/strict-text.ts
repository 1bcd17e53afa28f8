/**
 * The text of these bytes, or null when a single one of them has no place in that encoding. The mark is dropped.
 * `cut` allows the last character to be incomplete, as in a sample.
 */
export function strictText(bytes: Uint8Array, encoding: string, { cut = false } = {}): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: cut });
  } catch {
    return null;
  }
}

/** The WHATWG name behind a label such as `gb2312` or `latin1`; null for labels no decoder knows. */
export function encodingName(label: string): string | null {
  try {
    return new TextDecoder(label.trim()).encoding;
  } catch {
    return null;
  }
}
