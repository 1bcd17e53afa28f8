/** A directory of the browser's own storage that is nobody else's, for tests. */
export async function scratchDirectory(): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory();
  return root.getDirectoryHandle(`scratch-${crypto.randomUUID()}`, { create: true });
}

export async function putFile(root: FileSystemDirectoryHandle, path: string, content: string): Promise<void> {
  const segments = path.split('/');
  let folder = root;
  for (const name of segments.slice(0, -1)) folder = await folder.getDirectoryHandle(name, { create: true });
  const file = await folder.getFileHandle(segments.at(-1) ?? '', { create: true });
  const writable = await file.createWritable();
  await writable.write(content);
  await writable.close();
}

export async function removeScratch(folder: FileSystemDirectoryHandle): Promise<void> {
  await (await navigator.storage.getDirectory()).removeEntry(folder.name, { recursive: true });
}
