import { mkdtemp, mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isBuilt } from './built-app.mjs';

let root = '';

/** Writes a file, and dates it and its folder so many seconds after the start. */
async function put(path: string, second: number) {
  const file = join(root, path);
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, 'x');
  await utimes(file, second, second);
  for (let folder = join(file, '..'); folder.length > root.length; folder = join(folder, '..')) {
    await utimes(folder, second, second);
  }
}

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'talaria-build-'));
});
afterEach(() => rm(root, { recursive: true }));

describe('isBuilt', () => {
  test('is false without a build', async () => {
    await put('src/app.html', 100);
    expect(isBuilt(root)).toBe(false);
  });

  test('is true while nothing is newer than the build', async () => {
    await put('src/lib/core/task.ts', 100);
    await put('build/index.html', 200);
    expect(isBuilt(root)).toBe(true);
  });

  test.each(['src/lib/core/task.ts', 'static/icons/icon.svg', 'svelte.config.js', 'package-lock.json'])(
    'is false after %s has changed',
    async (path) => {
      await put('build/index.html', 200);
      await put(path, 300);
      expect(isBuilt(root)).toBe(false);
    },
  );

  test('is false after a source was deleted', async () => {
    await put('src/lib/old.ts', 100);
    await put('src/lib/kept.ts', 100);
    await put('build/index.html', 200);
    await rm(join(root, 'src/lib/old.ts'));
    await utimes(join(root, 'src/lib'), 300, 300);
    expect(isBuilt(root)).toBe(false);
  });

  test('does not mind a changed test', async () => {
    await put('src/lib/core/task.test.ts', 100);
    await put('build/index.html', 200);
    await writeFile(join(root, 'src/lib/core/task.test.ts'), 'changed');
    expect(isBuilt(root)).toBe(true);
  });
});
