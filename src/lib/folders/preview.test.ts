import { describe, expect, test } from 'vitest';
import type { FolderPreview } from '../core/folder';
import { fakeDirectory, type FakeTree, type FakeTroubles } from './fake-directory';
import { createFileFilter, type FilterPatterns } from './file-filter';
import { HandleFolder } from './folder-handle';
import { previewFolder } from './preview';

interface Options {
  readonly troubles?: FakeTroubles;
  readonly patterns?: FilterPatterns;
  readonly onProgress?: (preview: FolderPreview) => void;
  readonly signal?: AbortSignal;
  readonly monotonicMs?: () => number;
}

const preview = (tree: FakeTree, options: Options = {}) =>
  previewFolder({
    folder: new HandleFolder(fakeDirectory(tree, options.troubles)),
    filter: createFileFilter(options.patterns),
    readable: (path) => !path.endsWith('.png'),
    onProgress: options.onProgress ?? (() => undefined),
    signal: options.signal ?? new AbortController().signal,
    ...(options.monotonicMs ? { monotonicMs: options.monotonicMs } : {}),
  });

const many = (count: number): FakeTree =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${String(index).padStart(5, '0')}.txt`, 'ab']));

describe('previewFolder', () => {
  test('counts what would be read, and says of the rest why not', async () => {
    const tree = {
      'b.txt': 'abc',
      'A.TXT': 'a',
      README: 'r',
      'c.png': 'png!',
      '.env': 'x',
      notes: { 'd.md': '中', 'd.log': '', 'e.txt': '', 'e.png': '' },
      '.git': { config: '', hooks: { x: '' } },
    };
    const result = await preview(tree, { patterns: { include: [], exclude: ['*.log'] } });
    expect(result).toEqual({
      ok: true,
      value: {
        done: true,
        readCount: 4,
        readBytes: 8,
        skippedCount: 6,
        kinds: { txt: 2, md: 1, '': 1 },
        rows: [
          { path: '.env', sizeBytes: 0, verdict: 'skip', reason: 'hidden' },
          { path: '.git/', sizeBytes: 0, verdict: 'skip', reason: 'hidden' },
          { path: 'A.TXT', sizeBytes: 1, verdict: 'read', reason: null },
          { path: 'README', sizeBytes: 1, verdict: 'read', reason: null },
          { path: 'b.txt', sizeBytes: 3, verdict: 'read', reason: null },
          { path: 'c.png', sizeBytes: 4, verdict: 'skip', reason: 'file_kind_unsupported' },
          { path: 'notes/d.log', sizeBytes: 0, verdict: 'skip', reason: 'excluded' },
          { path: 'notes/d.md', sizeBytes: 3, verdict: 'read', reason: null },
          { path: 'notes/e.png', sizeBytes: 0, verdict: 'skip', reason: 'file_kind_unsupported' },
          { path: 'notes/e.txt', sizeBytes: 0, verdict: 'skip', reason: 'file_empty' },
        ],
        problems: [],
        badPatterns: [],
      },
    });
  });

  test('keeps the first 200 rows in path order, whatever order they come in', async () => {
    const tree = Object.fromEntries(Object.entries(many(1000)).reverse());
    const result = await preview(tree);
    const rows = result.ok ? result.value.rows : [];
    expect(rows.map((row) => row.path)).toEqual(Object.keys(many(200)));
    expect(result.ok && result.value.readCount).toBe(1000);
  });

  test('tells bad patterns and places that cannot be looked at', async () => {
    const onList = (path: string) => (path === 'closed/' ? new DOMException('', 'NoModificationAllowedError') : null);
    const result = await preview({ closed: {} }, { troubles: { onList }, patterns: { include: ['[x'], exclude: [] } });
    expect(result).toMatchObject({ ok: true, value: { badPatterns: ['[x'], problems: [{ path: 'closed/' }] } });
  });

  test('reports at most ten times a second, each time more', async () => {
    let nowMs = 0;
    const reports: { atMs: number; readCount: number }[] = [];
    const monotonicMs = () => (nowMs += 30);
    const onProgress = ({ done, readCount }: FolderPreview) => {
      expect(done).toBe(false);
      reports.push({ atMs: nowMs, readCount });
    };
    await preview(many(256 * 12), { onProgress, monotonicMs });
    expect(reports.length).toBeGreaterThanOrEqual(3);
    reports.slice(1).forEach(({ atMs, readCount }, index) => {
      expect(atMs - (reports[index]?.atMs ?? 0)).toBeGreaterThanOrEqual(100);
      expect(readCount).toBeGreaterThan(reports[index]?.readCount ?? 0);
    });
  });

  test('stopped, it resolves to what was found so far', async () => {
    const stop = new AbortController();
    const result = await preview(many(5000), { signal: stop.signal, onProgress: () => stop.abort() });
    expect(result).toMatchObject({ ok: true, value: { done: false } });
    const count = result.ok ? result.value.readCount : 0;
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(5000);
  });

  test('FSA-02: a folder that is not there is a failure, not an empty preview', async () => {
    const result = await preview({}, { troubles: { onList: () => new DOMException('', 'NotFoundError') } });
    expect(result).toMatchObject({ ok: false, failure: { code: 'folder_missing' } });
  });
});
