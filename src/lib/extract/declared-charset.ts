const HEAD_BYTES = 1024;

/** What `<meta charset>`, `<meta http-equiv … charset=>` or `@charset` in the first bytes say; null when nothing does. */
export function charsetOfHtml(bytes: Uint8Array): string | null {
  return /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([\w.:-]+)/i.exec(headOf(bytes))?.[1] ?? null;
}

export function charsetOfXml(bytes: Uint8Array): string | null {
  return /^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']/i.exec(headOf(bytes))?.[1] ?? null;
}

function headOf(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes.subarray(0, HEAD_BYTES));
}
