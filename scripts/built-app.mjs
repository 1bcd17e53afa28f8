/** The built app, made when it is missing or older than what it is made from. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
/** `TALARIA_BUILD_DIR` names a build made elsewhere, which is taken as it is. */
const given = process.env.TALARIA_BUILD_DIR;
export const BUILD_DIR = given ?? join(ROOT, 'build');

const SOURCES = ['src', 'static', 'svelte.config.js', 'vite.config.ts', 'tsconfig.json', 'package-lock.json'];
const NOT_SHIPPED = /\.(test|conformance)\.ts$/;

/** @param {string} [root] @returns {boolean} whether `build/` is there and no source is newer */
export function isBuilt(root = ROOT) {
  const made = join(root, 'build', 'index.html');
  return existsSync(made) && statSync(made).mtimeMs >= newestOf(SOURCES.map((name) => join(root, name)));
}

/**
 * Builds unless there is nothing new to build. Throws when the build fails, after its errors were shown.
 * @param {(line: string) => void} [say] told once when a build is made
 */
export function ensureBuilt(say = () => undefined) {
  if (given !== undefined || isBuilt()) return;
  say('Building the app');
  execFileSync(process.execPath, [join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js'), 'build'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** @param {readonly string[]} paths @returns {number} newest change in Unix milliseconds; a folder changes with its list */
function newestOf(paths) {
  return Math.max(0, ...paths.map(changedMs));
}

/** @param {string} path @returns {number} */
function changedMs(path) {
  if (!existsSync(path) || NOT_SHIPPED.test(path)) return 0;
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, newestOf(readdirSync(path).map((name) => join(path, name))));
}
