const POLYNOMIAL = 0xedb88320;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
  return value;
});

/** CRC-32 (IEEE 802.3) as eight hex digits: finds torn and flipped bytes, not an attacker. */
export function checksum(bytes: Uint8Array): string {
  let value = 0xffffffff;
  for (const byte of bytes) value = (value >>> 8) ^ (TABLE[(value ^ byte) & 0xff] ?? 0);
  return ((value ^ 0xffffffff) >>> 0).toString(16).padStart(8, '0');
}
