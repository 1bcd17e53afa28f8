import { failure } from './failure';
import { fail, ok, type Result } from './result';

/**
 * A path confined to the output folder, as segments. Failure: `path_refused` for an empty path, an absolute one, a
 * drive letter, a control character, or any `..` (even one that would lead back in).
 */
export function outputSegments(path: string): Result<readonly string[]> {
  const segments = path.split('/');
  const bad =
    path === '' ||
    path.includes('\\') ||
    /^[a-z]:/i.test(path) ||
    [...path].some((character) => character < ' ') ||
    segments.some((segment) => segment === '' || segment === '.' || segment === '..');
  return bad ? fail(failure('path_refused', { details: { path } })) : ok(segments);
}

const FORBIDDEN = /[\\/:*?"<>|#%&{}$!'@+`=\s]+/g;
const MAX_SLUG_CHARACTERS = 48;

/** A folder name made from a title: letters and digits of any script, dashes between, never empty. */
export function slug(title: string, fallback: string): string {
  const made = [...title.normalize('NFC').toLowerCase().replace(FORBIDDEN, '-')]
    .filter((character) => character >= ' ' && character !== '\u007f')
    .slice(0, MAX_SLUG_CHARACTERS)
    .join('')
    .replace(/-{2,}/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
  return made === '' ? fallback : made;
}
