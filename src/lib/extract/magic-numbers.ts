/** Names of binary formats by their first bytes. A null stands for any byte. */
interface Magic {
  readonly kind: string;
  readonly offset?: number;
  readonly bytes: readonly (number | null)[];
}

const MAGIC: readonly Magic[] = [
  { kind: 'png', bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { kind: 'jpeg', bytes: [0xff, 0xd8, 0xff] },
  { kind: 'gif', bytes: ascii('GIF87a') },
  { kind: 'gif', bytes: ascii('GIF89a') },
  { kind: 'tiff', bytes: [0x49, 0x49, 0x2a, 0x00] },
  { kind: 'tiff', bytes: [0x4d, 0x4d, 0x00, 0x2a] },
  { kind: 'psd', bytes: ascii('8BPS').concat([0x00]) },
  { kind: 'pdf', bytes: ascii('%PDF-') },
  { kind: 'zip', bytes: [0x50, 0x4b, 0x03, 0x04] },
  { kind: 'zip', bytes: [0x50, 0x4b, 0x05, 0x06] },
  { kind: 'gzip', bytes: [0x1f, 0x8b, 0x08] },
  { kind: 'bzip2', bytes: ascii('BZh').concat([null, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59]) },
  { kind: 'xz', bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00] },
  { kind: 'zstd', bytes: [0x28, 0xb5, 0x2f, 0xfd] },
  { kind: '7z', bytes: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c] },
  { kind: 'rar', bytes: [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07] },
  { kind: 'tar', offset: 257, bytes: ascii('ustar') },
  { kind: 'elf', bytes: [0x7f, 0x45, 0x4c, 0x46] },
  { kind: 'macho', bytes: [0xcf, 0xfa, 0xed, 0xfe] },
  { kind: 'macho', bytes: [0xca, 0xfe, 0xba, 0xbe] },
  { kind: 'wasm', bytes: [0x00, 0x61, 0x73, 0x6d] },
  { kind: 'ole', bytes: [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1] },
  { kind: 'sqlite', bytes: ascii('SQLite format 3').concat([0x00]) },
  { kind: 'mp3', bytes: ascii('ID3').concat([null, 0x00]) },
  { kind: 'mp3', bytes: [0xff, 0xfb, null, null] },
  { kind: 'mp3', bytes: [0xff, 0xf3, null, null] },
  { kind: 'ogg', bytes: ascii('OggS').concat([0x00]) },
  { kind: 'flac', bytes: ascii('fLaC').concat([0x00]) },
  { kind: 'mp4', offset: 4, bytes: ascii('ftyp') },
  { kind: 'matroska', bytes: [0x1a, 0x45, 0xdf, 0xa3] },
  { kind: 'wav', bytes: ascii('RIFF').concat([null, null, null, null], ascii('WAVE')) },
  { kind: 'webp', bytes: ascii('RIFF').concat([null, null, null, null], ascii('WEBP')) },
  { kind: 'avi', bytes: ascii('RIFF').concat([null, null, null, null], ascii('AVI ')) },
  { kind: 'woff', bytes: ascii('wOFF').concat([0x00]) },
  { kind: 'woff', bytes: ascii('wOF2').concat([0x00]) },
  { kind: 'truetype', bytes: [0x00, 0x01, 0x00, 0x00, 0x00] },
  { kind: 'icon', bytes: [0x00, 0x00, 0x01, 0x00, null, 0x00] },
  { kind: 'parquet', bytes: ascii('PAR1').concat([0x15]) },
];

export function binaryKindByMagic(bytes: Uint8Array): string | null {
  const found = MAGIC.find(({ offset = 0, bytes: expected }) =>
    expected.every((byte, index) => (byte === null ? offset + index < bytes.length : bytes[offset + index] === byte)),
  );
  return found?.kind ?? null;
}

function ascii(text: string): (number | null)[] {
  return [...text].map((character) => character.charCodeAt(0));
}
