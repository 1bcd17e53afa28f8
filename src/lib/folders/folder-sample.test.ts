import { readFile, readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { FileEntry } from '../core/folder';
import { createFileFilter } from './file-filter';
import { SampleFolder } from './folder-sample';

const DIR = join(import.meta.dirname, '../../../static/sample');
const BASE = 'https://talaria.example/sample/';
const never = new AbortController().signal;

/** The way a static host answers. */
async function fromDisk(url: string): Promise<Response> {
  const path = decodeURIComponent(url.slice(BASE.length));
  return readFile(join(DIR, path)).then(
    (bytes) => new Response(new Uint8Array(bytes)),
    () => new Response('', { status: 404 }),
  );
}

const sample = (fetch: (url: string) => Promise<Response> = fromDisk) => new SampleFolder({ baseUrl: BASE, fetch });

async function entriesOf(folder: SampleFolder): Promise<FileEntry[]> {
  const entries: FileEntry[] = [];
  for await (const batch of folder.walk(never)) entries.push(...batch);
  return entries;
}

async function bytesOf(path: string): Promise<Uint8Array> {
  const read = await sample().read(path, 1_000_000);
  if (!read.ok) throw new Error(read.failure.message);
  return read.value.bytes;
}

describe('the sample folder that ships', () => {
  test('the index names every file with its size, and nothing else', async () => {
    const files = await readdir(DIR, { recursive: true, withFileTypes: true });
    const onDisk = await Promise.all(
      files
        .filter((file) => file.isFile() && file.name !== 'index.json')
        .map(async (file) => {
          const full = join(file.parentPath, file.name);
          return [
            full
              .slice(DIR.length + 1)
              .split(sep)
              .join('/'),
            (await readFile(full)).length,
          ] as const;
        }),
    );
    const index = (await entriesOf(sample())).map(({ path, sizeBytes }) => [path, sizeBytes] as const);
    expect(index).toEqual(onDisk.sort(([a], [b]) => (a < b ? -1 : 1)));
    expect(index).toHaveLength(24);
  });

  test('every file can be read as the index says, and is left out by no rule', async () => {
    for (const { path, sizeBytes, modifiedMs } of await entriesOf(sample())) {
      expect(createFileFilter().verdict(path)).toBeNull();
      expect(await sample().read(path, 1_000_000)).toMatchObject({ ok: true, value: { path, sizeBytes, modifiedMs } });
    }
  });

  test('it holds the cases that a first look should show', async () => {
    const gbk = await bytesOf('旧电脑/安全须知.txt');
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(gbk)).toThrow(TypeError);
    expect(new TextDecoder('gbk', { fatal: true }).decode(gbk)).toContain('鼓包的锂电池不拆');
    const utf16 = await bytesOf('旧电脑/工具清单.txt');
    expect([...utf16.subarray(0, 2)]).toEqual([0xff, 0xfe]);
    expect(new TextDecoder('utf-16le').decode(utf16)).toContain('校圈台');
    expect(await bytesOf('drafts/empty.txt')).toHaveLength(0);
    expect(new TextDecoder().decode(await bytesOf('drafts/blank.txt')).trim()).toBe('');
    expect(new TextDecoder().decode((await bytesOf('drafts/photo-of-the-sign.txt')).subarray(1, 4))).toBe('PNG');
    expect(await bytesOf('drafts/library-offer (copy).txt')).toEqual(await bytesOf('letters/library-offer.txt'));
    expect((await bytesOf('plans/round-table.txt')).length).toBeGreaterThan(10_000);
  });
});

describe('SampleFolder', () => {
  test('is ready and takes nothing back', async () => {
    expect(await sample().access()).toBe('ready');
    expect(await sample().canWrite()).toBe(false);
    expect(await sample().write('a.md')).toMatchObject({ ok: false, failure: { code: 'folder_write_failed' } });
  });

  test('knows the files that are not there', async () => {
    expect(await sample().stat('no.txt')).toEqual({ ok: true, value: null });
    expect(await sample().read('no.txt', 100)).toMatchObject({ ok: false, failure: { code: 'file_gone' } });
    expect(await sample().read('README.md', 3)).toMatchObject({ ok: false, failure: { code: 'file_too_large' } });
  });

  test('a host that answers with its own page passes for neither index nor file', async () => {
    const page = async () => new Response('<!doctype html>');
    expect(await sample(page).access()).toBe('missing');
    const half = (url: string) => (url.endsWith('index.json') ? fromDisk(url) : page());
    expect(await sample(half).read('README.md', 9999)).toMatchObject({ failure: { code: 'file_unreadable' } });
  });

  test('without a network it is missing now and ready when the network is back', async () => {
    let online = false;
    const folder = sample((url) => (online ? fromDisk(url) : Promise.reject(new TypeError('Failed to fetch'))));
    await expect(entriesOf(folder)).rejects.toMatchObject({ failure: { code: 'folder_missing' } });
    online = true;
    expect(await entriesOf(folder)).toHaveLength(24);
    online = false;
    expect(await folder.read('README.md', 9999)).toMatchObject({ failure: { code: 'file_unreadable' } });
  });

  test('stops by its signal', async () => {
    const walking = sample().walk(AbortSignal.abort())[Symbol.asyncIterator]().next();
    await expect(walking).rejects.toMatchObject({ name: 'AbortError' });
  });
});
