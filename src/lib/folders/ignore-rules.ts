import { OUTPUT_FOLDER, type IgnoreReason } from '../core/folder';

const SYSTEM_NAMES = new Set([
  'thumbs.db',
  'ehthumbs.db',
  'desktop.ini',
  '__macosx',
  '$recycle.bin',
  'system volume information',
]);
const SWAP_NAME = /~$|\.(?:crswap|swp|swo|tmp|part|crdownload)$/i;

/** Why a file is left out by its name or by a folder it is in; null when nothing speaks against it. */
export function ignoredFile(path: string): IgnoreReason | null {
  const cut = path.lastIndexOf('/');
  return (cut < 0 ? null : ignoredFolder(path.slice(0, cut))) ?? ignoredFileName(path.slice(cut + 1));
}

/** The same for a whole folder: what it or a folder around it is left out for. */
export function ignoredFolder(path: string): IgnoreReason | null {
  const segments = path.split('/');
  // Some disks do not tell `Talaria` from `talaria`; reading an own report as input would never end.
  if (segments[0]?.toLowerCase() === OUTPUT_FOLDER) return 'own_output';
  for (const name of segments) {
    const reason = ignoredFolderName(name);
    if (reason !== null) return reason;
  }
  return null;
}

function ignoredFolderName(name: string): IgnoreReason | null {
  if (SYSTEM_NAMES.has(name.toLowerCase())) return 'system';
  return name.startsWith('.') ? 'hidden' : null;
}

function ignoredFileName(name: string): IgnoreReason | null {
  if (SYSTEM_NAMES.has(name.toLowerCase()) || name === '.DS_Store') return 'system';
  if (name.startsWith('~$') || (name.startsWith('.~lock.') && name.endsWith('#'))) return 'lock';
  if (SWAP_NAME.test(name)) return 'swap';
  return name.startsWith('.') ? 'hidden' : null;
}
