import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import names from '../../../tests/cases/names/names.json';
import { createFileFilter } from './file-filter';
import { HandleFolder } from './folder-handle';
import { putFile, removeScratch, scratchDirectory } from './opfs-scratch';

const never = new AbortController().signal;
let root: FileSystemDirectoryHandle;
let folder: HandleFolder;

beforeEach(async () => {
  root = await scratchDirectory();
  folder = new HandleFolder(root);
});

afterEach(() => removeScratch(root).catch(() => undefined));

async function paths(): Promise<string[]> {
  const found: string[] = [];
  for await (const batch of folder.walk(never)) found.push(...batch.map((entry) => entry.path));
  return found.sort();
}

const codeOf = (result: { ok: true } | { ok: false; failure: { code: string } }) =>
  result.ok ? 'ok' : result.failure.code;

describe('3,000 files in subfolders', () => {
  const wanted = Array.from({ length: 3000 }, (_, index) => `d${index % 30}/e${index % 3}/f${index}.txt`).sort();

  test('are all found, and a walk stops at once', { timeout: 120_000 }, async () => {
    for (let at = 0; at < 60; at += 1) {
      const leaf = await (
        await root.getDirectoryHandle(`d${at % 30}`, { create: true })
      ).getDirectoryHandle(`e${at % 3}`, { create: true });
      const mine = wanted.filter((path) => path.startsWith(`d${at % 30}/e${at % 3}/`));
      await Promise.all(
        mine.map((path) => leaf.getFileHandle(path.slice(path.lastIndexOf('/') + 1), { create: true })),
      );
    }
    expect(await paths()).toEqual(wanted);

    const stop = new AbortController();
    let seen = 0;
    const walking = (async () => {
      for await (const batch of folder.walk(stop.signal)) {
        seen += batch.length;
        stop.abort();
      }
    })();
    await expect(walking).rejects.toMatchObject({ name: 'AbortError' });
    expect(seen).toBeLessThanOrEqual(256);
  });
});

test('FSA-08: odd names are listed unchanged, read, and looked up', async () => {
  for (const name of names) await putFile(root, `sub/${name}`, name);
  const filter = createFileFilter();
  const wanted = names.filter((name) => filter.verdict(name) === null);
  expect(await paths()).toEqual(wanted.map((name) => `sub/${name}`).sort());
  for (const name of wanted) {
    const read = await folder.read(`sub/${name}`, 1000);
    expect(read.ok && new TextDecoder().decode(read.value.bytes)).toBe(name);
    expect(await folder.stat(`sub/${name}`)).toMatchObject({ ok: true, value: { path: `sub/${name}` } });
  }
});

describe('reading', () => {
  test('FSA-04: one file deleted before its turn is gone, the others are read', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await putFile(root, `in/${name}.txt`, name);
    const listed = await paths();
    await (await root.getDirectoryHandle('in')).removeEntry('c.txt');
    const codes = await Promise.all(listed.map(async (path) => codeOf(await folder.read(path, 100))));
    expect(codes).toEqual(['ok', 'ok', 'file_gone', 'ok', 'ok']);
    expect(await folder.stat('in/c.txt')).toEqual({ ok: true, value: null });
  });

  test('a file that became a folder is gone, and the other way round', async () => {
    await putFile(root, 'thing/inner.txt', 'x');
    expect(codeOf(await folder.read('thing', 100))).toBe('file_gone');
    await putFile(root, 'plain', 'x');
    expect(codeOf(await folder.read('plain/inner.txt', 100))).toBe('file_gone');
  });

  test('a changed file is read as it is now', async () => {
    await putFile(root, 'a.txt', 'one');
    expect(await folder.stat('a.txt')).toMatchObject({ value: { sizeBytes: 3 } });
    await putFile(root, 'a.txt', 'second');
    const read = await folder.read('a.txt', 100);
    expect(read.ok && new TextDecoder().decode(read.value.bytes)).toBe('second');
    expect(read.ok && read.value.sizeBytes).toBe(6);
  });

  test('FSA-02: a deleted folder is missing for every question', async () => {
    await putFile(root, 'a.txt', 'one');
    await removeScratch(root);
    expect(await folder.access()).toBe('missing');
    expect(codeOf(await folder.read('a.txt', 100))).toBe('folder_missing');
    expect(codeOf(await folder.stat('a.txt'))).toBe('folder_missing');
    expect(codeOf(await folder.write('a.md', 'x'))).toBe('folder_missing');
    await expect(paths()).rejects.toMatchObject({ failure: { code: 'folder_missing' } });
  });
});

describe('writing', () => {
  const written = async (path: string) => {
    let at = await root.getDirectoryHandle('talaria');
    const segments = path.split('/');
    for (const name of segments.slice(0, -1)) at = await at.getDirectoryHandle(name);
    return (await (await at.getFileHandle(segments.at(-1) ?? '')).getFile()).text();
  };

  test('makes the folders it needs, replaces the file whole, and leaves nothing beside it', async () => {
    expect(await folder.canWrite()).toBe(true);
    expect(await folder.write('notes/results/a/中 文.md', 'a long first version')).toEqual({ ok: true });
    expect(await folder.write('notes/results/a/中 文.md', 'short')).toEqual({ ok: true });
    expect(await folder.write('notes/results/a/中 文.md', 'short')).toEqual({ ok: true });
    expect(await written('notes/results/a/中 文.md')).toBe('short');
    const beside: string[] = [];
    const home = await (await root.getDirectoryHandle('talaria')).getDirectoryHandle('notes');
    for await (const name of (await (await home.getDirectoryHandle('results')).getDirectoryHandle('a')).keys()) {
      beside.push(name);
    }
    expect(beside).toEqual(['中 文.md']);
  });

  test('what was written is never read as input', async () => {
    await putFile(root, 'a.txt', 'x');
    await folder.write('notes/report.md', 'x');
    expect(await paths()).toEqual(['a.txt']);
  });

  test.each(['', '.', '../a.md', 'a/../../b.md', '/etc/passwd', 'C:\\x', 'a\\b', 'a//b'])(
    'SEC-05: %j is refused',
    async (path) => {
      expect(codeOf(await folder.write(path, 'x'))).toBe('path_refused');
      await expect(root.getDirectoryHandle('talaria')).rejects.toMatchObject({ name: 'NotFoundError' });
    },
  );

  test('a file in the way of a folder is told', async () => {
    await folder.write('a', 'x');
    expect(await folder.write('a/b.md', 'x')).toMatchObject({
      ok: false,
      failure: { code: 'folder_write_failed', details: { path: 'a/b.md', reason: 'TypeMismatchError' } },
    });
  });

  test('what was written is read back, byte for byte; nothing is there where nothing was, or where a folder is in the way', async () => {
    const folder = new HandleFolder(root);
    expect(await folder.readOutput('notes/report.md')).toEqual({ ok: true, value: null });
    await folder.write('notes/report.md', 'a “report” \ud83d\ude00');
    const held = await folder.readOutput('notes/report.md');
    expect(held.ok && new TextDecoder().decode(held.value ?? new Uint8Array())).toBe('a “report” \ud83d\ude00');
    expect(await folder.readOutput('notes')).toEqual({ ok: true, value: null });
    expect(await folder.readOutput('notes/report.md/deeper.md')).toEqual({ ok: true, value: null });
    expect(codeOf(await folder.readOutput('../outside.md'))).toBe('path_refused');
  });

  test('a full disk leaves the old content whole', async () => {
    await folder.write('report.md', 'old');
    const full = new HandleFolder(fillingUp(root));
    expect(await full.write('report.md', 'new')).toMatchObject({
      ok: false,
      failure: { code: 'folder_write_failed', details: { reason: 'disk_full' } },
    });
    expect(await written('report.md')).toBe('old');
  });
});

/** The same directory on a disk that takes half of what is written. */
function fillingUp(real: FileSystemDirectoryHandle): FileSystemDirectoryHandle {
  return new Proxy(real, {
    get(target, key) {
      if (key === 'getDirectoryHandle') {
        return async (...args: Parameters<typeof target.getDirectoryHandle>) =>
          fillingUp(await target.getDirectoryHandle(...args));
      }
      if (key === 'getFileHandle') {
        return async (...args: Parameters<typeof target.getFileHandle>) => {
          const file = await target.getFileHandle(...args);
          const createWritable = async () => {
            const writable = await file.createWritable();
            const write = async (content: string) => {
              await writable.write(content.slice(0, content.length / 2));
              throw new DOMException('full', 'QuotaExceededError');
            };
            return { write, close: () => writable.close(), abort: () => writable.abort() };
          };
          return { createWritable };
        };
      }
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
