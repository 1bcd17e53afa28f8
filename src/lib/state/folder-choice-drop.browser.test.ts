import { describe, expect, it } from 'vitest';
import { listEntries, readDrop } from './folder-choice-drop';

type Tree = { readonly [name: string]: string | Tree };

const PAGE = 100;

/** Folders as the browser lists them: a hundred entries at a time, then none. */
function folderOf(name: string, tree: Tree): FileSystemDirectoryEntry {
  const entries = Object.entries(tree).map(([child, content]) =>
    typeof content === 'string' ? fileOf(child, content) : folderOf(child, content),
  );
  return {
    ...entryOf(name),
    isDirectory: true,
    isFile: false,
    createReader: () => {
      let from = 0;
      return {
        readEntries: (found: (page: FileSystemEntry[]) => void) => {
          found(entries.slice(from, from + PAGE));
          from += PAGE;
        },
      };
    },
    getDirectory: () => undefined,
    getFile: () => undefined,
  };
}

function fileOf(name: string, content: string): FileSystemFileEntry {
  return {
    ...entryOf(name),
    isDirectory: false,
    isFile: true,
    file: (found: (file: File) => void, failed?: (error: DOMException) => void) =>
      content === '!' ? failed?.(new DOMException('', 'NotReadableError')) : found(new File([content], name)),
  };
}

function entryOf(name: string) {
  const filesystem = {} as FileSystem;
  return { name, fullPath: `/${name}`, filesystem, isDirectory: false, isFile: false, getParent: () => undefined };
}

const many = (count: number): Tree =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}.txt`, String(n)]));

describe('listEntries', () => {
  it('FSA-06: lists folders of more than a hundred entries whole', async () => {
    const counts: number[] = [];
    const folder = folderOf('root', { ...many(250), 子: { 'a b.txt': 'x', deep: many(101) } });
    const files = await listEntries(folder, new AbortController().signal, (count) => counts.push(count));
    expect(files).toHaveLength(250 + 1 + 101);
    expect(files.map(({ path }) => path)).toContain('子/deep/f100.txt');
    expect(files.map(({ path }) => path)).toContain('子/a b.txt');
    expect(counts.at(-1)).toBe(352);
    expect(counts.length).toBeGreaterThan(3);
  });

  it('leaves out what cannot be opened and goes on', async () => {
    const files = await listEntries(folderOf('root', { bad: '!', good: 'x' }), new AbortController().signal, () => {});
    expect(files.map(({ path }) => path)).toEqual(['good']);
  });

  it('stops when told to', async () => {
    const stop = new AbortController();
    const listing = listEntries(folderOf('root', many(500)), stop.signal, () => stop.abort());
    await expect(listing).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('readDrop', () => {
  it('tells plain files from folders', async () => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['x'], 'a.txt'));
    expect(await readDrop(transfer)).toEqual({ kind: 'files' });
  });

  it('says that nothing to read was dropped', async () => {
    const transfer = new DataTransfer();
    transfer.setData('text/plain', 'words');
    expect(await readDrop(transfer)).toEqual({ kind: 'nothing' });
  });
});
