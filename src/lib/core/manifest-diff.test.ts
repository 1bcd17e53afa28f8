import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { FileEntry } from './folder';
import { contentDigest, type ContentDigest } from './ids';
import { compareBatch, matchMoved } from './manifest-diff';
import type { FileFingerprint } from './step';

const entry = (path: string, sizeBytes = 10, modifiedMs = 1000): FileEntry => ({ path, sizeBytes, modifiedMs });
const known = (path: string, digest: string | null = null, sizeBytes = 10, modifiedMs = 1000): FileFingerprint => ({
  path,
  sizeBytes,
  modifiedMs,
  digest: digest === null ? null : contentDigest(digest),
});

describe('compareBatch', () => {
  test('an unknown file is added, another size or time is changed, the rest is unchanged', () => {
    const entries = [entry('new'), entry('same'), entry('longer', 11), entry('touched', 10, 2000)];
    const manifest = [null, known('same'), known('longer'), known('touched')];
    expect(compareBatch(entries, manifest)).toEqual(['added', 'unchanged', 'changed', 'changed']);
  });

  test('a file whose digest is not known yet is compared all the same', () => {
    expect(compareBatch([entry('a')], [known('a', null)])).toEqual(['unchanged']);
  });

  test('every entry gets one verdict, and a manifest made of the entries finds nothing changed', () => {
    const entries = fc.array(fc.record({ path: fc.string(), sizeBytes: fc.nat(), modifiedMs: fc.nat() }));
    fc.assert(
      fc.property(entries, (batch) => {
        const manifest = batch.map((each) => ({ ...each, digest: null }));
        expect(compareBatch(batch, manifest)).toEqual(batch.map(() => 'unchanged'));
        expect(compareBatch(batch, [])).toEqual(batch.map(() => 'added'));
      }),
    );
  });
});

describe('matchMoved', () => {
  const digestsOf = (byPath: Record<string, string>) => (path: string) =>
    Promise.resolve(byPath[path] === undefined ? null : contentDigest(byPath[path]));

  test('a file with the same bytes under another path is the missing one', async () => {
    const moved = await matchMoved(
      [known('old/a.txt', 'd1'), known('old/b.txt', 'd2')],
      [entry('new/a.txt'), entry('new/c.txt')],
      digestsOf({ 'new/a.txt': 'd1', 'new/c.txt': 'other' }),
    );
    expect([...moved].map(([path, from]) => [path, from.path])).toEqual([['new/a.txt', 'old/a.txt']]);
  });

  test('only files of a size that is missing are read', async () => {
    const digestOf = vi.fn(digestsOf({}));
    await matchMoved([known('gone', 'd1', 7), known('never-read', null, 8)], [entry('a', 7), entry('b', 8)], digestOf);
    expect(digestOf.mock.calls).toEqual([['a']]);
  });

  test('of equal files the one with the same name is taken first, then in path order', async () => {
    const moved = await matchMoved(
      [known('x/one.txt', 'd'), known('x/two.txt', 'd'), known('x/three.txt', 'd')],
      [entry('a.txt'), entry('y/two.txt')],
      digestsOf({ 'a.txt': 'd', 'y/two.txt': 'd' }),
    );
    expect(moved.get('y/two.txt')?.path).toBe('x/two.txt');
    expect(moved.get('a.txt')?.path).toBe('x/one.txt');
  });

  test('pairs are equal in content, one to one, as many as can be, whatever the order', async () => {
    const content = fc.constantFrom('d0', 'd1', 'd2', 'd3');
    const tree = fc.uniqueArray(fc.record({ path: fc.string({ maxLength: 3 }), content }), { selector: (f) => f.path });
    await fc.assert(
      fc.asyncProperty(tree, tree, fc.infiniteStream(fc.boolean()), async (gone, come, coins) => {
        const missing = gone.map(({ path, content }) => known(path, content, Number(content[1])));
        const added = come.map(({ path, content }) => entry(path, Number(content[1])));
        const digests = new Map(come.map(({ path, content }) => [path, contentDigest(content)]));
        const digestOf = async (path: string): Promise<ContentDigest | null> => digests.get(path) ?? null;
        const moved = await matchMoved(missing, added, digestOf);
        const sources = [...moved.values()].map((file) => file.path);
        expect(new Set(sources).size).toBe(sources.length);
        for (const [path, from] of moved) expect(from.digest).toBe(digests.get(path));
        const count = (files: readonly { content: string }[], which: string) =>
          files.filter((file) => file.content === which).length;
        const possible = ['d0', 'd1', 'd2', 'd3'].map((which) => Math.min(count(gone, which), count(come, which)));
        expect(moved.size).toBe(possible.reduce((sum, each) => sum + each, 0));
        const shuffled = <T>(list: readonly T[]) =>
          list.reduce<T[]>((out, each) => (coins.next().value ? [each, ...out] : [...out, each]), []);
        const again = await matchMoved(shuffled(missing), shuffled(added), digestOf);
        expect(new Map([...again].sort())).toEqual(new Map([...moved].sort()));
      }),
    );
  });

  test('ten thousand equal files are matched in a blink', async () => {
    const paths = Array.from({ length: 10_000 }, (_, index) => `f${index}`);
    const moved = await matchMoved(
      paths.map((path) => known(`old/${path}`, 'same')),
      paths.map((path) => entry(`new/${path}`)),
      async () => contentDigest('same'),
    );
    expect(moved.size).toBe(10_000);
    expect(moved.get('new/f77')?.path).toBe('old/f77');
  });
});
