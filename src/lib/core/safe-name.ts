/**
 * What Windows, macOS and Linux refuse between them, and Chromium on top of that: `~`, invisible characters (also the
 * joiners inside an emoji), white space or a dot at either end, shell links. Room is left for the suffixes that are
 * added while a file is written.
 */
const REFUSED_CHARACTERS = /["*/:<>?\\|~\p{Cc}\p{Cf}\p{Cs}\p{Noncharacter_Code_Point}]/gu;
const REFUSED_ENDS = /^[\s.]+|[\s.]+$/gu;
const DEVICE_NAME = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9]|conin\$|conout\$|clock\$)(?:\.|$)/i;
const REFUSED_EXTENSION = /\.(?:lnk|scf|url|local|library-ms|search-ms|crswap)$/i;
const MAX_BYTES = 180;

/**
 * The path of a result file for a source path: `<path><extension>`, readable wherever it can be. A segment that had to
 * be changed gets a short hash of what it was, so two source paths never share a result.
 */
export function resultPath(sourcePath: string, extension: string): string {
  const segments = sourcePath.split('/');
  return segments
    .map((segment, index) =>
      index === segments.length - 1 ? safeName(segment) + extension : folderName(segment, extension),
    )
    .join('/');
}

/** A name that is legal everywhere; the name itself when it is already. At most 180 bytes of UTF-8. */
export function safeName(name: string): string {
  const cleaned = name.replace(REFUSED_CHARACTERS, '_').replace(REFUSED_ENDS, '');
  const legal = cleaned === name && name !== '' && !DEVICE_NAME.test(name) && !REFUSED_EXTENSION.test(name);
  return legal && byteLength(name) <= MAX_BYTES ? name : withHash(cleaned, name);
}

/** A folder `a.md` must not meet the result `a.md` of a file `a`. */
function folderName(name: string, extension: string): string {
  const safe = safeName(name);
  return safe === name && name.toLowerCase().endsWith(extension.toLowerCase()) ? withHash(name, name) : safe;
}

function withHash(cleaned: string, name: string): string {
  const suffix = `-${shortHash(name)}`;
  const kept = takeBytes(cleaned.replace(DEVICE_NAME, '_$&'), MAX_BYTES - suffix.length).replace(REFUSED_ENDS, '');
  return `${kept === '' ? '_' : kept}${suffix}`;
}

function takeBytes(text: string, limitBytes: number): string {
  let bytes = 0;
  let taken = '';
  for (const character of text) {
    bytes += byteLength(character);
    if (bytes > limitBytes) break;
    taken += character;
  }
  return taken;
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** FNV-1a, 64 bits, in base 36: names only have to differ, nobody attacks their own folder. */
function shortHash(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(36).padStart(13, '0').slice(-10);
}
