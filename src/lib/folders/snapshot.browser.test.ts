import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { folderId } from '../core/ids';
import { createFileFilter } from './file-filter';
import { createFolderOpener } from './folder-opener';
import { removeScratch, scratchDirectory } from './opfs-scratch';
import { deleteSnapshot, keepSnapshot, listSnapshots, type SnapshotFile, type SnapshotRequest } from './snapshot';
import type { SurveyedFolder, SurveyItem } from './survey';

const ID = folderId('0b9f');
const never = new AbortController().signal;
let opfs: FileSystemDirectoryHandle;

beforeEach(async () => {
  opfs = await scratchDirectory();
});

afterEach(() => removeScratch(opfs));

const given = (path: string, content: string, lastModified = 1234): SnapshotFile => ({
  path,
  file: new File([content], path.slice(path.lastIndexOf('/') + 1) || 'unnamed.txt', { lastModified }),
});

const keep = (files: readonly SnapshotFile[], more: Partial<SnapshotRequest> = {}) =>
  keepSnapshot({ opfs, id: ID, name: 'notes', files, onProgress: () => undefined, signal: never, ...more });

async function open(): Promise<SurveyedFolder> {
  const opener = createFolderOpener({ sampleBaseUrl: '/sample/', opfsRoot: async () => opfs });
  const row = { v: 1, id: ID, kind: 'snapshot', name: 'notes', handle: null, createdMs: 0, lastUsedMs: 0 } as const;
  const opened = await opener.open(row);
  if (!opened.ok) throw new Error(opened.failure.message);
  return opened.value;
}

async function survey(folder: SurveyedFolder): Promise<SurveyItem[]> {
  const items: SurveyItem[] = [];
  for await (const batch of folder.survey(never, createFileFilter())) items.push(...batch);
  return items;
}

async function textOf(folder: SurveyedFolder, path: string): Promise<string> {
  const read = await folder.read(path, 10_000_000);
  return read.ok ? new TextDecoder().decode(read.value.bytes) : read.failure.code;
}

/** A file whose bytes from `from` on can no longer be read. */
function broken(path: string, sizeBytes: number, from: number): SnapshotFile {
  const file = new File([new Uint8Array(sizeBytes)], path);
  const slice = file.slice.bind(file);
  file.slice = (start = 0, end = file.size) => {
    const part = slice(start, end);
    if (end > from) part.arrayBuffer = () => Promise.reject(new DOMException('changed', 'NotReadableError'));
    return part;
  };
  return { path, file };
}

describe('keepSnapshot', () => {
  test('keeps bytes, sizes, times and paths', async () => {
    const kept = await keep([
      given('notes/a.txt', 'alpha'),
      given('notes/深/空 格.txt', '中文', 99),
      given('notes/e.txt', ''),
    ]);
    expect(kept).toEqual({ ok: true, value: { copied: 3, bytes: 11, problems: [] } });
    const folder = await open();
    expect(await folder.access()).toBe('ready');
    expect(await survey(folder)).toEqual([
      { found: 'file', entry: { path: 'a.txt', sizeBytes: 5, modifiedMs: 1234 } },
      { found: 'file', entry: { path: '深/空 格.txt', sizeBytes: 6, modifiedMs: 99 } },
      { found: 'file', entry: { path: 'e.txt', sizeBytes: 0, modifiedMs: 1234 } },
    ]);
    expect(await textOf(folder, 'a.txt')).toBe('alpha');
    expect(await textOf(folder, '深/空 格.txt')).toBe('中文');
    expect(await textOf(folder, 'e.txt')).toBe('');
    expect(await textOf(folder, 'no.txt')).toBe('file_gone');
    expect(await folder.read('a.txt', 4)).toMatchObject({ failure: { code: 'file_too_large' } });
    expect(await folder.stat('a.txt')).toEqual({ ok: true, value: { path: 'a.txt', sizeBytes: 5, modifiedMs: 1234 } });
    expect(await folder.stat('no.txt')).toEqual({ ok: true, value: null });
    expect(await folder.canWrite()).toBe(false);
  });

  test('FSA-10: files without relative paths, and equal names, do not collide', async () => {
    const files = ['one', 'two', 'three'].map((content) => ({ path: '', file: new File([content], 'a.txt') }));
    await keep(files);
    const folder = await open();
    expect(await Promise.all(['a.txt', 'a (2).txt', 'a (3).txt'].map((path) => textOf(folder, path)))).toEqual([
      'one',
      'two',
      'three',
    ]);
  });

  test('what is left out by name is noted once and not copied', async () => {
    const kept = await keep([
      given('notes/.git/a', 'x'),
      given('notes/.git/b', 'x'),
      given('notes/a.txt~', 'x'),
      given('notes/b.txt', 'y'),
    ]);
    expect(kept).toMatchObject({ value: { copied: 1, bytes: 1 } });
    expect((await survey(await open())).slice(0, 2)).toEqual([
      { found: 'ignored', path: '.git/', reason: 'hidden' },
      { found: 'ignored', path: 'a.txt~', reason: 'swap' },
    ]);
  });

  test('large files and many small ones come back byte for byte', async () => {
    const large = 'abcdefg'.repeat(1_500_000);
    const small = Array.from({ length: 300 }, (_, index) => given(`notes/s/${index}.txt`, `small ${index}`));
    await keep([...small.slice(0, 150), given('notes/large.txt', large), ...small.slice(150)]);
    const folder = await open();
    const whole = await folder.read('large.txt', large.length);
    expect(whole.ok && new TextDecoder().decode(whole.value.bytes) === large).toBe(true);
    for (const index of [0, 149, 150, 299]) expect(await textOf(folder, `s/${index}.txt`)).toBe(`small ${index}`);
  });

  test('a file that cannot be read any more is told, and the others are whole', async () => {
    const files = [given('notes/a.txt', 'aa'), broken('notes/b.bin', 6_000_000, 5_500_000), given('notes/c.txt', 'cc')];
    const kept = await keep(files);
    expect(kept).toMatchObject({
      ok: true,
      value: { copied: 2, bytes: 4, problems: [{ path: 'b.bin', failure: { code: 'file_unreadable' } }] },
    });
    const folder = await open();
    expect(await textOf(folder, 'a.txt')).toBe('aa');
    expect(await textOf(folder, 'c.txt')).toBe('cc');
    const problems: string[] = [];
    for await (const batch of folder.walk(never, (problem) => problems.push(problem.path))) {
      expect(batch.map((entry) => entry.path)).toEqual(['a.txt', 'c.txt']);
    }
    expect(problems).toEqual(['b.bin']);
  });

  test('counts as it goes, at most ten times a second, and says the end', async () => {
    const counts: number[] = [];
    let nowMs = 0;
    const files = Array.from({ length: 100 }, (_, index) => given(`notes/${index}.txt`, 'x'));
    await keep(files, { onProgress: (copied) => counts.push(copied), monotonicMs: () => (nowMs += 10) });
    expect(counts).toEqual([1, 11, 21, 31, 41, 51, 61, 71, 81, 91, 100]);
  });

  test('stopped, it leaves nothing behind', async () => {
    const stop = new AbortController();
    const files = Array.from({ length: 100 }, (_, index) => given(`notes/${index}.txt`, 'x'));
    const keeping = keep(files, { signal: stop.signal, onProgress: () => stop.abort() });
    await expect(keeping).rejects.toMatchObject({ name: 'AbortError' });
    expect(await listSnapshots(opfs)).toEqual([]);
    expect(await (await open()).access()).toBe('missing');
  });

  test('with the storage full it says so and leaves nothing behind', async () => {
    const full = new Proxy(opfs, {
      get(target, key) {
        if (key !== 'getDirectoryHandle') {
          const value: unknown = Reflect.get(target, key);
          return typeof value === 'function' ? (value.bind(target) as unknown) : value;
        }
        return async (...args: Parameters<typeof target.getDirectoryHandle>) => {
          const snapshots = await target.getDirectoryHandle(...args);
          const getDirectoryHandle = async (...inner: typeof args) => {
            const folder = await snapshots.getDirectoryHandle(...inner);
            const write = () => Promise.reject(new DOMException('full', 'QuotaExceededError'));
            const abort = () => Promise.resolve();
            return {
              getFileHandle: async (...name: Parameters<typeof folder.getFileHandle>) => {
                await folder.getFileHandle(...name);
                return { createWritable: async () => ({ write, abort }) };
              },
            };
          };
          return { getDirectoryHandle, removeEntry: snapshots.removeEntry.bind(snapshots) };
        };
      },
    });
    expect(await keep([given('notes/a.txt', 'x')], { opfs: full })).toMatchObject({
      ok: false,
      failure: { code: 'storage_full' },
    });
    expect(await listSnapshots(opfs)).toEqual([]);
  });
});

describe('deleteSnapshot', () => {
  test('the folder is missing from then on, and deleting again is nothing', async () => {
    await keep([given('notes/a.txt', 'x')]);
    expect(await listSnapshots(opfs)).toEqual([ID]);
    const folder = await open();
    expect(await textOf(folder, 'a.txt')).toBe('x');
    await deleteSnapshot(opfs, ID);
    await deleteSnapshot(opfs, ID);
    expect(await listSnapshots(opfs)).toEqual([]);
    expect(await textOf(folder, 'a.txt')).toBe('folder_missing');
    await expect(survey(await open())).rejects.toMatchObject({ failure: { code: 'folder_missing' } });
  });
});
