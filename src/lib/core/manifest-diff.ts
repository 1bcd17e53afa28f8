import type { FileEntry } from './folder';
import type { ContentDigest } from './ids';
import type { FileFingerprint } from './step';

export type ManifestVerdict = 'added' | 'changed' | 'unchanged';

/**
 * What a batch of a walk is against the manifest; `known[i]` is what is known of `entries[i]`, null when nothing.
 * Size and time decide; the digest is compared later, when the file is read.
 */
export function compareBatch(
  entries: readonly FileEntry[],
  known: readonly (FileFingerprint | null)[],
): readonly ManifestVerdict[] {
  return entries.map((entry, index) => {
    const before = known[index] ?? null;
    if (before === null) return 'added';
    const same = before.sizeBytes === entry.sizeBytes && before.modifiedMs === entry.modifiedMs;
    return same ? 'unchanged' : 'changed';
  });
}

const DIGESTS_AT_ONCE = 8;

/**
 * Missing files that turned up elsewhere: path of the added file → the missing one with equal bytes. Each missing file
 * is matched once; among equals the same base name wins, then path order, whatever order the lists come in. `digestOf`
 * is called only for added files whose size some missing file has; its null matches nothing.
 */
export async function matchMoved(
  missing: readonly FileFingerprint[],
  added: readonly FileEntry[],
  digestOf: (path: string) => Promise<ContentDigest | null>,
): Promise<ReadonlyMap<string, FileFingerprint>> {
  const left = new MissingFiles(missing);
  const candidates = added.filter((entry) => left.hasSize(entry.sizeBytes)).sort(byPath);
  const found = await digests(candidates, digestOf);
  const moved = new Map<string, FileFingerprint>();
  const pair = (entry: FileEntry, match: FileFingerprint | null) => match && moved.set(entry.path, match);
  for (const { entry, digest } of found) pair(entry, left.takeNamed(digest, baseName(entry.path)));
  for (const { entry, digest } of found) if (!moved.has(entry.path)) pair(entry, left.takeAny(digest));
  return moved;
}

/** Missing files by content, each to be taken once, in path order. */
class MissingFiles {
  readonly #sizes = new Set<number>();
  readonly #queues = new Map<string, FileFingerprint[]>();
  readonly #taken = new Set<FileFingerprint>();

  constructor(missing: readonly FileFingerprint[]) {
    // Queues are taken from the end.
    for (const file of [...missing].sort((a, b) => byPath(b, a))) {
      if (file.digest === null) continue;
      this.#sizes.add(file.sizeBytes);
      this.#queue(file.digest).push(file);
      this.#queue(`${file.digest}/${baseName(file.path)}`).push(file);
    }
  }

  hasSize(sizeBytes: number): boolean {
    return this.#sizes.has(sizeBytes);
  }

  takeNamed(digest: ContentDigest, name: string): FileFingerprint | null {
    return this.#take(`${digest}/${name}`);
  }

  takeAny(digest: ContentDigest): FileFingerprint | null {
    return this.#take(digest);
  }

  #take(key: string): FileFingerprint | null {
    const queue = this.#queues.get(key) ?? [];
    for (let file = queue.pop(); file; file = queue.pop()) {
      if (this.#taken.has(file)) continue;
      this.#taken.add(file);
      return file;
    }
    return null;
  }

  #queue(key: string): FileFingerprint[] {
    const queue = this.#queues.get(key) ?? [];
    this.#queues.set(key, queue);
    return queue;
  }
}

async function digests(entries: readonly FileEntry[], digestOf: (path: string) => Promise<ContentDigest | null>) {
  const found: { entry: FileEntry; digest: ContentDigest }[] = [];
  for (let at = 0; at < entries.length; at += DIGESTS_AT_ONCE) {
    const group = entries.slice(at, at + DIGESTS_AT_ONCE);
    const made = await Promise.all(group.map(async (entry) => ({ entry, digest: await digestOf(entry.path) })));
    for (const { entry, digest } of made) if (digest !== null) found.push({ entry, digest });
  }
  return found;
}

function byPath(a: { path: string }, b: { path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
