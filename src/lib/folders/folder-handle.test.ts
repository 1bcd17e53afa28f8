import { describe, expect, test } from 'vitest';
import { fakeDirectory, type FakeTree, type FakeTroubles } from './fake-directory';
import { HandleFolder } from './folder-handle';

const dom = (name: string) => new DOMException(name, name);
const TREE: FakeTree = { 'a.txt': 'hello', sub: { 'b.txt': '中文' } };
const folder = (troubles: FakeTroubles = {}, tree: FakeTree = TREE) => new HandleFolder(fakeDirectory(tree, troubles));
const codeOf = (result: { ok: true } | { ok: false; failure: { code: string } }) =>
  result.ok ? 'ok' : result.failure.code;

describe('read', () => {
  test('gives bytes, size and time', async () => {
    expect(await folder().read('sub/b.txt', 100)).toEqual({
      ok: true,
      value: { path: 'sub/b.txt', sizeBytes: 6, modifiedMs: 1000, bytes: new TextEncoder().encode('中文') },
    });
  });

  test('a file over the limit is not read at all', async () => {
    const onRead = () => new Error('was read');
    expect(await folder({ onRead }).read('a.txt', 4)).toMatchObject({
      ok: false,
      failure: { code: 'file_too_large', details: { path: 'a.txt', sizeBytes: 5, limitBytes: 4 } },
    });
    expect(codeOf(await folder().read('a.txt', 5))).toBe('ok');
  });

  test.each(['no.txt', 'no/b.txt', 'sub', 'a.txt/b', '', '/', '..', 'sub/../a.txt', 'sub//b.txt'])(
    '%j is gone',
    async (path) => {
      expect(codeOf(await folder().read(path, 100))).toBe('file_gone');
      expect(await folder().stat(path)).toEqual({ ok: true, value: null });
    },
  );

  test('a file that changed after it was opened is opened once more', async () => {
    let reads = 0;
    const onRead = () => ((reads += 1) === 1 ? dom('NotReadableError') : null);
    expect(codeOf(await folder({ onRead }).read('a.txt', 100))).toBe('ok');
    expect(reads).toBe(2);
  });

  test('a file that goes on changing is changing; one that stands still is unreadable', async () => {
    let reads = 0;
    const onRead = () => {
      reads += 1;
      return dom('NotReadableError');
    };
    let modified = 1000;
    expect(codeOf(await folder({ onRead, modifiedMs: () => (modified += 1) }).read('a.txt', 100))).toBe(
      'file_changing',
    );
    expect(reads).toBe(2);
    expect(codeOf(await folder({ onRead }).read('a.txt', 100))).toBe('file_unreadable');
  });

  test('FSA-02: in a folder that is not there no file is gone', async () => {
    const lost = folder({ onList: () => dom('NotFoundError') }, {});
    expect(codeOf(await lost.read('a.txt', 100))).toBe('folder_missing');
    expect(codeOf(await lost.stat('a.txt'))).toBe('folder_missing');
    expect(await lost.access()).toBe('missing');
  });

  test('without permission it is the folder that waits, not the file that fails', async () => {
    const closed = folder({ permission: () => 'prompt', onOpen: () => dom('NotAllowedError') });
    expect(codeOf(await closed.read('a.txt', 100))).toBe('folder_permission');
    expect(codeOf(await closed.stat('a.txt'))).toBe('folder_permission');
    expect(await closed.access()).toBe('needs_permission');
  });

  test('one refused file in a granted folder fails alone', async () => {
    const onOpen = (path: string) => (path === 'a.txt' ? dom('NotAllowedError') : null);
    expect(codeOf(await folder({ onOpen }).read('a.txt', 100))).toBe('file_unreadable');
    expect(codeOf(await folder({ onOpen }).read('sub/b.txt', 100))).toBe('ok');
  });

  test('a file in a subfolder that cannot be listed is not gone', async () => {
    const onList = (path: string) => (path === 'sub/' ? dom('NoModificationAllowedError') : null);
    expect(codeOf(await folder({ onList }).stat('sub/unknown.txt'))).toBe('file_unreadable');
    expect(codeOf(await folder({ onList }).read('sub/unknown.txt', 9))).toBe('file_unreadable');
  });

  test('a subfolder that appears later is found', async () => {
    const tree: FakeTree = {};
    const growing = folder({}, tree);
    expect(codeOf(await growing.read('new/a.txt', 9))).toBe('file_gone');
    tree.new = { 'a.txt': 'x' };
    expect(codeOf(await growing.read('new/a.txt', 9))).toBe('ok');
  });
});

test('FSA-06: a file that the listing leaves out is still found by name', async () => {
  const tree = Object.fromEntries(Array.from({ length: 103 }, (_, index) => [`f${index}.txt`, 'x']));
  const short = folder({ isUnlisted: (path) => !['f0.txt', 'f1.txt', 'f2.txt'].includes(path) }, tree);
  const listed: string[] = [];
  for await (const batch of short.walk(new AbortController().signal)) listed.push(...batch.map((entry) => entry.path));
  expect(listed.sort()).toEqual(['f0.txt', 'f1.txt', 'f2.txt']);
  const stats = await Promise.all(Object.keys(tree).map((path) => short.stat(path)));
  expect(stats.every((stat) => stat.ok && stat.value !== null)).toBe(true);
});

test('writing needs its own permission', async () => {
  expect(await folder({ permission: (mode) => (mode === 'read' ? 'granted' : 'prompt') }).canWrite()).toBe(false);
  expect(await folder().canWrite()).toBe(true);
});
