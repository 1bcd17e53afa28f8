import { troubleOf } from './directory-trouble';

const MAX_KEPT = 256;

/** From paths to handles below a directory. Handles name a place, not a thing: one that is kept never goes stale. */
export class HandleLookup {
  readonly #root: FileSystemDirectoryHandle;
  readonly #folders = new Map<string, Promise<FileSystemDirectoryHandle>>();

  constructor(root: FileSystemDirectoryHandle) {
    this.#root = root;
  }

  async file(path: string): Promise<FileSystemFileHandle> {
    const cut = path.lastIndexOf('/');
    const folder = cut < 0 ? this.#root : await this.#folder(path.slice(0, cut));
    return folder.getFileHandle(path.slice(cut + 1));
  }

  /** What keeps the folders around a file from being listed; null when nothing does, or they are not there. */
  async obstacle(path: string): Promise<unknown> {
    for (let cut = path.indexOf('/'); cut >= 0; cut = path.indexOf('/', cut + 1)) {
      try {
        await (await this.#folder(path.slice(0, cut))).keys().next();
      } catch (error) {
        const trouble = troubleOf(error);
        return trouble === 'gone' || trouble === 'bad_name' ? null : error;
      }
    }
    return null;
  }

  #folder(path: string): Promise<FileSystemDirectoryHandle> {
    const kept = this.#folders.get(path);
    if (kept) return kept;
    if (this.#folders.size >= MAX_KEPT) this.#folders.clear();
    const found = this.#find(path);
    this.#folders.set(path, found);
    found.catch(() => this.#folders.delete(path));
    return found;
  }

  async #find(path: string): Promise<FileSystemDirectoryHandle> {
    const cut = path.lastIndexOf('/');
    const parent = cut < 0 ? this.#root : await this.#folder(path.slice(0, cut));
    return parent.getDirectoryHandle(path.slice(cut + 1));
  }
}
