/** Directory handles of a tree in memory, for tests of what real ones cannot be made to do. */
export interface FakeTree {
  [name: string]: string | FakeTree;
}

export interface FakeTroubles {
  /** Raised when this folder is listed (`''` is the top); checked at each listing. */
  readonly onList?: (path: string) => Error | null;
  /** Raised when this file is opened. */
  readonly onOpen?: (path: string) => Error | null;
  /** Raised when this opened file's bytes are read. */
  readonly onRead?: (path: string) => Error | null;
  readonly modifiedMs?: (path: string) => number;
  readonly permission?: (mode: string) => PermissionState;
  /** Names that the listing leaves out, though they are there. */
  readonly isUnlisted?: (path: string) => boolean;
  /** Called for every entry that a listing hands out. */
  readonly onEntry?: (path: string) => void;
}

const notFound = () => new DOMException('not there', 'NotFoundError');
const mismatch = () => new DOMException('of another kind', 'TypeMismatchError');

/** Changes to `tree` show at once. */
export function fakeDirectory(tree: FakeTree, troubles: FakeTroubles = {}): FileSystemDirectoryHandle {
  return directory('notes', '', tree, troubles) as Partial<FileSystemDirectoryHandle> as FileSystemDirectoryHandle;
}

function directory(name: string, prefix: string, tree: FakeTree, troubles: FakeTroubles): object {
  const child = (key: string, node: string | FakeTree) =>
    typeof node === 'string'
      ? fileHandle(key, prefix + key, node, troubles)
      : directory(key, `${prefix}${key}/`, node, troubles);
  const find = (key: string, wantsFile: boolean) => {
    if (key === '' || key.includes('/')) throw new TypeError('Name is not allowed.');
    const node = tree[key];
    if (node === undefined) throw notFound();
    if ((typeof node === 'string') !== wantsFile) throw mismatch();
    return child(key, node);
  };
  async function* values() {
    const trouble = troubles.onList?.(prefix) ?? null;
    if (trouble) throw trouble;
    for (const [key, node] of Object.entries(tree)) {
      if (troubles.isUnlisted?.(prefix + key)) continue;
      troubles.onEntry?.(prefix + key);
      yield child(key, node);
    }
  }
  return {
    kind: 'directory',
    name,
    values,
    keys: values,
    getFileHandle: async (key: string) => find(key, true),
    getDirectoryHandle: async (key: string) => find(key, false),
    queryPermission: async ({ mode }: { mode: string }) => troubles.permission?.(mode) ?? 'granted',
  };
}

function fileHandle(name: string, path: string, content: string, troubles: FakeTroubles): object {
  return {
    kind: 'file',
    name,
    getFile: async () => {
      const trouble = troubles.onOpen?.(path) ?? null;
      if (trouble) throw trouble;
      const file = new File([content], name, { lastModified: troubles.modifiedMs?.(path) ?? 1000 });
      const bytes = file.arrayBuffer.bind(file);
      file.arrayBuffer = async () => {
        const unreadable = troubles.onRead?.(path) ?? null;
        if (unreadable) throw unreadable;
        return bytes();
      };
      return file;
    },
  };
}
