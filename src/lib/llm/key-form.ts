/** A key travels in a header: visible ASCII only. A pasted line break or a full-width character would never arrive. */
export function isSendableKey(key: string | null): boolean {
  return key === null || /^[\x21-\x7e]+$/.test(key);
}
