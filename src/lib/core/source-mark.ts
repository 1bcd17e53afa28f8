const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;

/** Tells sources of answers (an address and a model) apart without naming them: rows that are exported hold it. FNV-1a. */
export function sourceMark(baseUrl: string, model: string): string {
  let hash = OFFSET;
  for (const character of `${baseUrl}\n${model}`) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), PRIME);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}
