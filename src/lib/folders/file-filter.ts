import type { FileFilter } from '../core/folder';
import { compileGlobs } from './globs';
import { ignoredFile, ignoredFolder } from './ignore-rules';

export interface FilterPatterns {
  /** Empty lets every file in. */
  readonly include: readonly string[];
  /** Wins over `include`. */
  readonly exclude: readonly string[];
}

const NO_PATTERNS: FilterPatterns = { include: [], exclude: [] };

/** Names ignored by rule, then the person's globs. An `!` before a pattern to include makes it one to exclude. */
export function createFileFilter(patterns: FilterPatterns = NO_PATTERNS): FileFilter {
  const isTurned = (pattern: string) => /^\s*!(?!\()/.test(pattern);
  const wanted = patterns.include.filter((pattern) => pattern.trim() !== '' && !isTurned(pattern));
  const turned = patterns.include.filter(isTurned).map((pattern) => pattern.replace('!', ''));
  const include = compileGlobs(wanted);
  const exclude = compileGlobs([...patterns.exclude, ...turned]);
  return {
    badPatterns: [...include.bad, ...exclude.bad],
    verdict(path) {
      const ignored = ignoredFile(path);
      if (ignored !== null) return ignored;
      if (exclude.matches(path)) return 'excluded';
      return wanted.length === 0 || include.matches(path) ? null : 'not_included';
    },
    folderVerdict(path) {
      return ignoredFolder(path) ?? (exclude.matchesAllBelow(path) ? 'excluded' : null);
    },
  };
}
