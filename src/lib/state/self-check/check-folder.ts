export const CHECK_FOLDER = 'talaria-self-check';

/** Some of the sample's texts: long enough for a report tree, few enough to be read fifteen times over. */
const TEXTS = [
  'README.md',
  'data/survey.json',
  'data/visits-trial.csv',
  'interviews/01-ines-electronics.txt',
  'interviews/03-amara-visitor.txt',
  'letters/library-offer.txt',
  'plans/opening-weekend.md',
  'plans/round-table.txt',
] as const;

/** A folder in the browser's own storage: it can be written to like one on the disk, and nobody has to be asked for it. */
export class CheckFolder {
  readonly handle: FileSystemDirectoryHandle;

  private constructor(handle: FileSystemDirectoryHandle) {
    this.handle = handle;
  }

  static async make(): Promise<CheckFolder> {
    await CheckFolder.remove();
    const root = await navigator.storage.getDirectory();
    const handle = await root.getDirectoryHandle(CHECK_FOLDER, { create: true });
    for (const path of TEXTS) {
      const answer = await fetch(`/sample/${path}`);
      if (!answer.ok) throw new Error(`the sample's ${path} could not be read: ${String(answer.status)}`);
      const file = await handle.getFileHandle(path.replaceAll('/', '-'), { create: true });
      const writable = await file.createWritable();
      await writable.write(await answer.blob());
      await writable.close();
    }
    return new CheckFolder(handle);
  }

  /** Told by its place in the browser's own storage; a person may have a folder of that name on their disk. */
  static async isOne(handle: FileSystemDirectoryHandle): Promise<boolean> {
    const root = await navigator.storage.getDirectory();
    const path = await root.resolve(handle);
    return path?.length === 1 && path[0] === CHECK_FOLDER;
  }

  static async remove(): Promise<void> {
    const root = await navigator.storage.getDirectory();
    await root.removeEntry(CHECK_FOLDER, { recursive: true }).catch((error: unknown) => {
      if (!(error instanceof DOMException && error.name === 'NotFoundError')) throw error;
    });
  }

  /** Every file below a path such as `talaria/<task>`, by its path from there. */
  async written(path: string): Promise<Readonly<Record<string, string>>> {
    let folder = this.handle;
    for (const name of path.split('/')) folder = await folder.getDirectoryHandle(name);
    return Object.fromEntries(await filesBelow(folder, ''));
  }
}

async function filesBelow(folder: FileSystemDirectoryHandle, prefix: string): Promise<[string, string][]> {
  const found: [string, string][] = [];
  for await (const [name, entry] of folder.entries()) {
    if (entry.kind === 'directory') found.push(...(await filesBelow(entry, `${prefix}${name}/`)));
    else found.push([`${prefix}${name}`, await (await entry.getFile()).text()]);
  }
  return found.sort(([a], [b]) => (a < b ? -1 : 1));
}
