import { resultKey, type ImportId, type ResultKey } from './ids';

/** Says of a task that it came from a file. */
export interface ImportOrigin {
  /** Drawn for each time that a file is taken in: what came with one is never found by another. */
  readonly id: ImportId;
  /** When it was taken in, Unix milliseconds. */
  readonly atMs: number;
}

const PREFIXES = /^(?:imported\/[^/]*\/)+/;

/**
 * Where a result that came with a file is kept: under no input hash, since only the file says what was asked and answered.
 * The task that it came with, and forks of that, find it by the hash of the request all the same.
 */
export function importedKey(id: ImportId, key: string): ResultKey {
  return resultKey(`imported/${id}/${key}`);
}

/** The key that the result had where it was made, however often it was taken in since. */
export function keyAtOrigin(key: ResultKey): string {
  return key.replace(PREFIXES, '');
}
