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
  const byDigest = new Map<ContentDigest, FileFingerprint[]>();
  const sizes = new Set<number>();
  for (const file of [...missing].sort(byPath)) {
    if (file.digest === null) continue;
    sizes.add(file.sizeBytes);
    byDigest.set(file.digest, [...(byDigest.get(file.digest) ?? []), file]);
  }
  const found = await digests(added.filter((entry) => sizes.has(entry.sizeBytes)).sort(byPath), digestOf);
  const moved = new Map<string, FileFingerprint>();
  for (const sameName of [true, false]) {
    for (const { entry, digest } of found) {
      if (moved.has(entry.path)) continue;
      const left = byDigest.get(digest) ?? [];
      const at = left.findIndex(
        (file) => file.sizeBytes === entry.sizeBytes && (!sameName || baseName(file.path) === baseName(entry.path)),
      );
      const [match] = at < 0 ? [] : left.splice(at, 1);
      if (match) moved.set(entry.path, match);
    }
  }
  return moved;
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
