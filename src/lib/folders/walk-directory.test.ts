import { describe, expect, test } from 'vitest';
import { FailureError } from '../core/failure-error';
import type { FolderProblem } from '../core/folder';
import { fakeDirectory, type FakeTree, type FakeTroubles } from './fake-directory';
import { createFileFilter, type FilterPatterns } from './file-filter';
import { filesOf, type SurveyItem } from './survey';
import { walkDirectory } from './walk-directory';

const never = new AbortController().signal;
const dom = (name: string) => new DOMException(name, name);

async function survey(tree: FakeTree, troubles: FakeTroubles = {}, patterns?: FilterPatterns): Promise<SurveyItem[]> {
  const items: SurveyItem[] = [];
  const filter = createFileFilter(patterns);
  for await (const batch of walkDirectory(fakeDirectory(tree, troubles), never, filter)) items.push(...batch);
  return items;
}

async function walk(tree: FakeTree, troubles: FakeTroubles = {}) {
  const paths: string[] = [];
  const problems: FolderProblem[] = [];
  const found = walkDirectory(fakeDirectory(tree, troubles), never, createFileFilter());
  for await (const entries of filesOf(found, (problem) => problems.push(problem))) {
    paths.push(...entries.map((entry) => entry.path));
  }
  return { paths: paths.sort(), problems };
}

function wideTree(files: number): FakeTree {
  const folders: Record<string, FakeTree> = {};
  for (let index = 0; index < 20; index += 1) folders[`d${index}`] = {};
  for (let index = 0; index < files; index += 1) {
    const folder = folders[`d${index % 20}`];
    if (folder) folder[`f${index}.txt`] = 'x';
  }
  return folders;
}

describe('walking', () => {
  test('finds every file at every depth with size and time', async () => {
    const items = await survey({ 'a.txt': 'abc', b: { 'c.txt': '', d: { e: { 'f.txt': '中' } } }, empty: {} });
    const entries = items.flatMap((item) => (item.found === 'file' ? [item.entry] : []));
    expect(entries.sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: 'a.txt', sizeBytes: 3, modifiedMs: 1000 },
      { path: 'b/c.txt', sizeBytes: 0, modifiedMs: 1000 },
      { path: 'b/d/e/f.txt', sizeBytes: 3, modifiedMs: 1000 },
    ]);
  });

  test('an empty folder has no files', async () => {
    expect(await walk({})).toEqual({ paths: [], problems: [] });
  });

  test('what is left out is told with its reason, neither opened nor entered', async () => {
    const touched: string[] = [];
    const touch = (path: string) => {
      touched.push(path);
      return null;
    };
    const tree = { 'a.txt': '', 'b.log': '', '.git': { config: '' }, talaria: { 't.md': '' }, out: { 'x.txt': '' } };
    const items = await survey(tree, { onList: touch, onOpen: touch }, { include: ['*.txt'], exclude: ['out/'] });
    expect(items.filter((item) => item.found === 'ignored')).toEqual([
      { found: 'ignored', path: 'b.log', reason: 'not_included' },
      { found: 'ignored', path: '.git/', reason: 'hidden' },
      { found: 'ignored', path: 'talaria/', reason: 'own_output' },
      { found: 'ignored', path: 'out/', reason: 'excluded' },
    ]);
    expect(touched).toEqual(['', 'a.txt']);
  });

  test('no more than 16 files are opened at once', async () => {
    let open = 0;
    let most = 0;
    const root = fakeDirectory(wideTree(400));
    const counted = (handle: FileSystemFileHandle) =>
      Object.assign(handle, {
        getFile: async () => {
          most = Math.max(most, (open += 1));
          await new Promise((resolve) => setImmediate(resolve));
          open -= 1;
          return new File([], 'x');
        },
      });
    const wrap = (folder: FileSystemDirectoryHandle): FileSystemDirectoryHandle =>
      Object.assign(folder, {
        values: ((values) =>
          async function* () {
            for await (const each of values()) yield each.kind === 'file' ? counted(each) : wrap(each);
          })(folder.values.bind(folder)),
      });
    let files = 0;
    for await (const batch of walkDirectory(wrap(root), never, createFileFilter())) files += batch.length;
    expect(files).toBe(400);
    expect(most).toBe(16);
  });
});

describe('places that cannot be looked at', () => {
  test('a closed subfolder is told, and the rest is walked', async () => {
    const onList = (path: string) => (path === 'closed/' ? dom('NoModificationAllowedError') : null);
    const { paths, problems } = await walk({ 'a.txt': '', closed: { 'b.txt': '' }, open: { 'c.txt': '' } }, { onList });
    expect(paths).toEqual(['a.txt', 'open/c.txt']);
    expect(problems.map(({ path, failure }) => [path, failure.code])).toEqual([['closed/', 'file_unreadable']]);
  });

  test('a subfolder that only says "not found" is told while it is still there', async () => {
    const onList = (path: string) => (path === 'odd/' ? dom('NotFoundError') : null);
    const { problems } = await walk({ odd: { 'b.txt': '' } }, { onList });
    expect(problems.map(({ path }) => path)).toEqual(['odd/']);
  });

  test('what was deleted in between is no problem', async () => {
    const tree: FakeTree = { 'a.txt': '', sub: { 'b.txt': '' }, 'z.txt': '' };
    const onOpen = (path: string) => (path === 'a.txt' ? dom('NotFoundError') : null);
    const onList = (path: string) => (path === 'sub/' && delete tree.sub ? dom('NotFoundError') : null);
    expect(await walk(tree, { onOpen, onList })).toEqual({ paths: ['z.txt'], problems: [] });
  });

  test('a file that cannot be opened is told', async () => {
    const onOpen = (path: string) => (path === 'a.txt' ? dom('NotAllowedError') : null);
    const { paths, problems } = await walk({ 'a.txt': '', 'b.txt': '' }, { onOpen });
    expect(paths).toEqual(['b.txt']);
    expect(problems.map(({ path, failure }) => [path, failure.code])).toEqual([['a.txt', 'file_unreadable']]);
  });
});

describe('the folder itself out of reach', () => {
  const failing = async (troubles: FakeTroubles) => {
    const error: unknown = await walk({ 'a.txt': '', sub: { 'b.txt': '' } }, troubles).catch(
      (raised: unknown) => raised,
    );
    return error instanceof FailureError ? error.failure.code : error;
  };

  test('FSA-02: moved or deleted is never an empty folder', async () => {
    expect(await failing({ onList: () => dom('NotFoundError') })).toBe('folder_missing');
  });

  test('no permission', async () => {
    expect(await failing({ onList: () => dom('NotAllowedError') })).toBe('folder_permission');
    expect(await failing({ permission: () => 'prompt', onList: () => dom('NotAllowedError') })).toBe(
      'folder_permission',
    );
  });

  test('taken away in mid walk', async () => {
    let lists = 0;
    expect(await failing({ onList: () => ((lists += 1) > 1 ? dom('NotFoundError') : null) })).toBe('folder_missing');
    let opened = false;
    const onOpen = () => {
      opened = true;
      return dom('NotFoundError');
    };
    expect(await failing({ onOpen, onList: () => (opened ? dom('NotFoundError') : null) })).toBe('folder_missing');
  });

  test('a bug is not taken for a failure', async () => {
    expect(await failing({ onList: () => new TypeError('a bug') })).toBeInstanceOf(TypeError);
    expect(await failing({ onOpen: () => new RangeError('a bug') })).toBeInstanceOf(RangeError);
  });
});

describe('stopping', () => {
  test('an aborted signal rejects with AbortError at the next batch and nothing more is listed', async () => {
    const stop = new AbortController();
    let handed = 0;
    const root = fakeDirectory(wideTree(5000), { onEntry: () => void (handed += 1) });
    const walking = (async () => {
      for await (const batch of walkDirectory(root, stop.signal, createFileFilter())) {
        expect(batch.length).toBeGreaterThan(0);
        stop.abort(new Error('some reason of its own'));
      }
    })();
    await expect(walking).rejects.toMatchObject({ name: 'AbortError' });
    const atStop = handed;
    await new Promise((resolve) => setImmediate(resolve));
    expect(handed - atStop).toBeLessThanOrEqual(8);
    expect(handed).toBeLessThan(3000);
  });

  test('a signal that fires while nothing comes', async () => {
    const stop = new AbortController();
    const stuck = Object.assign(fakeDirectory({}), {
      async *values() {
        yield await new Promise<FileSystemFileHandle>(() => undefined);
      },
    });
    const next = walkDirectory(stuck, stop.signal, createFileFilter()).next();
    stop.abort();
    await expect(next).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('a reader that leaves ends the walk', async () => {
    let handed = 0;
    const root = fakeDirectory(wideTree(5000), { onEntry: () => void (handed += 1) });
    for await (const batch of walkDirectory(root, never, createFileFilter())) {
      expect(batch.length).toBeLessThanOrEqual(256);
      break;
    }
    const atStop = handed;
    await new Promise((resolve) => setImmediate(resolve));
    expect(handed - atStop).toBeLessThanOrEqual(8);
  });

  test('a slow reader holds the walk up: no more is listed than fits', async () => {
    let handed = 0;
    const root = fakeDirectory(wideTree(6000), { onEntry: () => void (handed += 1) });
    const reading = walkDirectory(root, never, createFileFilter());
    const first = await reading.next();
    const firstFiles = first.done ? 0 : first.value.length;
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(handed).toBeLessThan(2000);
    let files = 0;
    for await (const batch of reading) files += batch.length;
    expect(handed).toBe(6020);
    expect(files).toBe(6000 - firstFiles);
  });
});
