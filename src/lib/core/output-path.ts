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
    /\p{Cc}/u.test(path) ||
    segments.some((segment) => segment === '' || segment === '.' || segment === '..');
  return bad ? fail(failure('path_refused', { details: { path } })) : ok(segments);
}

const MAX_SLUG_CHARACTERS = 48;

/**
 * A folder name made from a title: letters and digits of any script with single dashes between, at most 48 characters,
 * never empty. What file systems refuse (invisible characters, `~`, dots at the end) cannot be in it.
 */
export function slug(title: string, fallback: string): string {
  const dashed = title
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-');
  const made = Array.from(dashed.replace(/^-/, '')).slice(0, MAX_SLUG_CHARACTERS).join('').replace(/-$/, '');
  return made === '' ? fallback : made;
}
