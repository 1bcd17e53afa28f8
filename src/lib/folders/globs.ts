import picomatch from 'picomatch/posix';

export interface Globs {
  matches(path: string): boolean;
  /** True when everything below the folder matches, whatever it is called. */
  matchesAllBelow(folder: string): boolean;
  /** Patterns that cannot be understood. They match nothing. */
  readonly bad: readonly string[];
}

interface Glob {
  readonly matches: (path: string) => boolean;
  readonly endsInTree: boolean;
}

/**
 * Globs on `/`-separated paths. A pattern without a slash is matched with the file's name at any depth, `name/` means
 * the whole folder, a leading `/` ties it to the top. Case does not count, nor how accents are composed.
 */
export function compileGlobs(patterns: readonly string[]): Globs {
  const globs: Glob[] = [];
  const bad: string[] = [];
  for (const pattern of patterns) {
    const anchored = anchor(pattern);
    if (anchored === '') continue;
    const matches = compile(anchored);
    if (matches === null) bad.push(pattern);
    // With `!(…)` a folder may match by what is not below it.
    else globs.push({ matches, endsInTree: anchored.endsWith('/**') && !anchored.includes('!(') });
  }
  const trees = globs.filter((glob) => glob.endsInTree);
  return {
    bad,
    matches: (path) => some(globs, path),
    matchesAllBelow: (folder) => some(trees, folder),
  };
}

function some(globs: readonly Glob[], path: string): boolean {
  if (globs.length === 0) return false;
  const composed = path.normalize('NFC');
  return globs.some((glob) => glob.matches(composed));
}

/** The pattern over whole paths; empty when there is none. */
function anchor(pattern: string): string {
  const composed = pattern
    .trim()
    .normalize('NFC')
    .replace(/^(?:\.\/)+/, '');
  const whole = composed.endsWith('/') ? `${composed}**` : composed;
  if (whole.startsWith('/')) return whole.replace(/^\/+/, '');
  const named = composed.endsWith('/') ? composed.slice(0, -1) : composed;
  return named === '' || named.includes('/') ? whole : `**/${whole}`;
}

function compile(pattern: string): Glob['matches'] | null {
  try {
    // `debug` and `strictBrackets` make it throw where it would otherwise match something else than was meant.
    return picomatch(pattern, { dot: true, nocase: true, nonegate: true, strictBrackets: true, debug: true });
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  }
}
