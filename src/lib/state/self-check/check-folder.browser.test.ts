import { expect, it } from 'vitest';
import { CHECK_FOLDER, CheckFolder } from './check-folder';

it("a folder of the self-check is told from one of a person's that is named like it, also when it is gone", async () => {
  const root = await navigator.storage.getDirectory();
  const own = await root.getDirectoryHandle(CHECK_FOLDER, { create: true });
  const disk = await root.getDirectoryHandle('disk', { create: true });
  const theirs = await disk.getDirectoryHandle(CHECK_FOLDER, { create: true });
  expect(await CheckFolder.isOne(own)).toBe(true);
  expect(await CheckFolder.isOne(theirs)).toBe(false);
  await CheckFolder.remove();
  expect(await CheckFolder.isOne(own)).toBe(true);
  await root.removeEntry('disk', { recursive: true });
});
