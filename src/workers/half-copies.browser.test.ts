import { afterEach, beforeEach, expect, it } from 'vitest';
import { folderId, type FolderId } from '../lib/core/ids';
import { ok } from '../lib/core/result';
import { removeScratch, scratchDirectory } from '../lib/folders/opfs-scratch';
import { keepSnapshot, listSnapshots } from '../lib/folders/snapshot';
import { singleTabLocks } from '../lib/platform/locks-single';
import { sampleFolder } from '../lib/testing/sample-rows';
import { forgetHalfCopies } from './half-copies';

const [NEEDED, HALF] = [folderId('needed'), folderId('half')];
let opfs: FileSystemDirectoryHandle;

beforeEach(async () => {
  opfs = await scratchDirectory();
  const files = [{ path: 'a.txt', file: new File(['a'], 'a.txt') }];
  const { signal } = new AbortController();
  for (const id of [NEEDED, HALF])
    await keepSnapshot({ opfs, id, name: id, files, onProgress: () => undefined, signal });
});

afterEach(() => removeScratch(opfs));

async function leftAfter(known: readonly FolderId[], areFoldersKnown: boolean): Promise<readonly FolderId[]> {
  await forgetHalfCopies({
    store: {
      folder: async (id) => ok(known.includes(id) ? sampleFolder({ id }) : null),
      areFoldersKnown: async () => areFoldersKnown,
    },
    locks: singleTabLocks(),
    opfsRoot: async () => opfs,
  });
  return [...(await listSnapshots(opfs))].sort();
}

it('deletes a copy that no folder row names', async () => {
  expect(await leftAfter([NEEDED], true)).toEqual([NEEDED]);
});

it('deletes nothing while rows of a lost database wait to be put back: a task may need the copy', async () => {
  expect(await leftAfter([], false)).toEqual([HALF, NEEDED]);
});
