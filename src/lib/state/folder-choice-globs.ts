/** The patterns typed into a field: one a line or between commas, where a comma within braces belongs to the pattern. */
export function parseGlobs(typed: string): readonly string[] {
  const globs: string[] = [];
  let glob = '';
  let depth = 0;
  for (const character of typed) {
    if (character === '{') depth += 1;
    if (character === '}') depth = Math.max(0, depth - 1);
    const ends = /[\n\r，]/.test(character) || (character === ',' && depth === 0);
    if (ends) {
      globs.push(glob);
      glob = '';
      depth = 0;
    } else glob += character;
  }
  return [...globs, glob].map((each) => each.trim()).filter(Boolean);
}
