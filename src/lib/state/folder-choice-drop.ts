import type { SnapshotFile } from '../bridge/agent-api';

/** What a drop held. `others` is true when more than the one folder that is taken was dropped. */
export type Dropped =
  | { readonly kind: 'handle'; readonly handle: FileSystemDirectoryHandle; readonly others: boolean }
  | { readonly kind: 'entry'; readonly entry: FileSystemDirectoryEntry; readonly others: boolean }
  | { readonly kind: 'files' }
  | { readonly kind: 'nothing' };

interface HandleItem {
  getAsFileSystemHandle?(): Promise<FileSystemHandle | null>;
}

/** Must be called before the drop event's first await: the browser empties the transfer after it. */
export function readDrop(transfer: DataTransfer): Promise<Dropped> {
  const items = [...transfer.items].filter((item) => item.kind === 'file');
  const entries = items.map((item) => item.webkitGetAsEntry());
  const handles = items.map((item: DataTransferItem & HandleItem) => handleOf(item));
  return chooseFolder(handles, entries);
}

async function handleOf(item: HandleItem): Promise<FileSystemHandle | null> {
  try {
    return (await item.getAsFileSystemHandle?.()) ?? null;
  } catch {
    return null;
  }
}

async function chooseFolder(
  handles: readonly Promise<FileSystemHandle | null>[],
  entries: readonly (FileSystemEntry | null)[],
): Promise<Dropped> {
  const others = entries.length > 1;
  const handle = (await Promise.all(handles)).find(isDirectoryHandle);
  if (handle) return { kind: 'handle', handle, others };
  const entry = entries.find(isDirectoryEntry);
  if (entry) return { kind: 'entry', entry, others };
  return { kind: entries.length > 0 ? 'files' : 'nothing' };
}

/**
 * Every file below a dropped folder, depth first. `readEntries` gives at most 100 at a time, so it is asked until it
 * answers with none. A file that cannot be opened is left out. Rejects with `AbortError` when the signal fires.
 */
export async function listEntries(
  folder: FileSystemDirectoryEntry,
  signal: AbortSignal,
  onFound: (count: number) => void,
): Promise<readonly SnapshotFile[]> {
  const files: SnapshotFile[] = [];
  const pending = [{ folder, path: '' }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const reader = next.folder.createReader();
    for (let page = await readPage(reader); page.length > 0; page = await readPage(reader)) {
      signal.throwIfAborted();
      for (const entry of page) {
        const path = next.path + entry.name;
        if (isDirectoryEntry(entry)) pending.push({ folder: entry, path: `${path}/` });
        else if (isFileEntry(entry)) {
          const file = await fileOf(entry);
          if (file !== null) files.push({ path, file });
        }
      }
      onFound(files.length);
    }
  }
  return files;
}

function readPage(reader: FileSystemDirectoryReader): Promise<readonly FileSystemEntry[]> {
  return new Promise((resolve) => reader.readEntries(resolve, () => resolve([])));
}

function fileOf(entry: FileSystemFileEntry): Promise<File | null> {
  return new Promise((resolve) => entry.file(resolve, () => resolve(null)));
}

function isDirectoryHandle(handle: FileSystemHandle | null): handle is FileSystemDirectoryHandle {
  return handle?.kind === 'directory';
}

function isDirectoryEntry(entry: FileSystemEntry | null): entry is FileSystemDirectoryEntry {
  return entry?.isDirectory === true;
}

function isFileEntry(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}
